//! TypeScript and JSX to the JavaScript that V8 runs, with a map back to the source.

mod surfaces;
mod types;

use std::sync::Arc;

use swc_common::comments::SingleThreadedComments;
use swc_common::errors::{Handler, Level};
use swc_common::{BytePos, FileName, GLOBALS, Globals, Mark, SourceMap, Spanned};
use swc_ecma_ast::{EsVersion, Program};
use swc_ecma_codegen::Emitter;
use swc_ecma_codegen::text_writer::JsWriter;
use swc_ecma_parser::{EsSyntax, Parser, StringInput, Syntax, TsSyntax, lexer::Lexer};
use swc_ecma_visit::{Visit, VisitMutWith, VisitWith};

use crate::ext::port::Position;

/// A module ready for V8.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// JavaScript.
    pub code: Arc<str>,
    /// A source map (JSON), absent when `code` is the source itself.
    pub map: Option<Arc<[u8]>>,
}

/// A module that cannot be read as JavaScript or TypeScript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {message}")]
pub struct SyntaxError {
    /// Where.
    pub position: Position,
    /// What the parser met.
    pub message: String,
}

/// The kind of file, from its suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    JavaScript,
    TypeScript { jsx: bool },
}

fn language(path: &str) -> Language {
    match path.rsplit('.').next() {
        Some("ts" | "mts" | "cts") => Language::TypeScript { jsx: false },
        Some("tsx") => Language::TypeScript { jsx: true },
        _ => Language::JavaScript,
    }
}

/// Compiles the module at `path` (inside the mod's folder; its suffix tells the language).
///
/// # Errors
/// A syntax error, at its place in the source.
pub fn compile(path: &str, source: &str) -> Result<Compiled, SyntaxError> {
    GLOBALS.set(&Globals::new(), || compile_in_globals(path, source))
}

fn compile_in_globals(path: &str, source: &str) -> Result<Compiled, SyntaxError> {
    let files = swc_common::sync::Lrc::new(SourceMap::default());
    // The map names the file as seen from the module's own address.
    let name = path.rsplit('/').next().unwrap_or(path);
    let file = files.new_source_file(FileName::Custom(name.into()).into(), source.to_string());
    let comments = SingleThreadedComments::default();
    let language = language(path);
    let syntax = match language {
        Language::TypeScript { jsx } => {
            Syntax::Typescript(TsSyntax { tsx: jsx, decorators: true, ..TsSyntax::default() })
        }
        Language::JavaScript => {
            Syntax::Es(EsSyntax { jsx: true, explicit_resource_management: true, ..EsSyntax::default() })
        }
    };
    let lexer = Lexer::new(syntax, EsVersion::latest(), StringInput::from(&*file), Some(&comments));
    let mut parser = Parser::new_from(lexer);
    let error_at = |position: BytePos, message: String| {
        let at = files.lookup_char_pos(position);
        SyntaxError {
            position: Position {
                file: path.to_string(),
                line: u32::try_from(at.line).unwrap_or(u32::MAX),
                column: u32::try_from(at.col.0 + 1).unwrap_or(u32::MAX),
            },
            message,
        }
    };
    let mut module =
        parser.parse_module().map_err(|error| error_at(error.span().lo, error.kind().msg().to_string()))?;
    if let Some(error) = parser.take_errors().into_iter().next() {
        return Err(error_at(error.span().lo, error.kind().msg().to_string()));
    }
    if let Some(span) = reserved_import(&module) {
        return Err(error_at(span.lo, "this module is not there for mods".into()));
    }
    if let Some(span) = using(&module) {
        return Err(error_at(
            span.lo,
            "using declarations do not load: Claude Code has nothing to run them with".into(),
        ));
    }
    if language == Language::JavaScript && !has_jsx(&module) && !surfaces::has_surfaces(&module) {
        return Ok(Compiled { code: Arc::from(source), map: None });
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    module.visit_mut_with(&mut surfaces::Surfaces { folder });
    types::mark(&mut module);
    let handler = Handler::with_emitter_and_flags(
        Box::new(Silent),
        swc_common::errors::HandlerFlags { can_emit_warnings: false, ..Default::default() },
    );
    let program = swc_common::errors::HANDLER.set(&handler, || transform(&files, &comments, module, language));
    Ok(emit(&files, &comments, &program))
}

/// The transforms report through a handler; what they could say, the parser has said.
struct Silent;

impl swc_common::errors::Emitter for Silent {
    fn emit(&mut self, diagnostic: &mut swc_common::errors::DiagnosticBuilder<'_>) {
        debug_assert!(diagnostic.level != Level::Bug);
    }
}

fn transform(
    files: &swc_common::sync::Lrc<SourceMap>,
    comments: &SingleThreadedComments,
    module: swc_ecma_ast::Module,
    language: Language,
) -> Program {
    let unresolved = Mark::new();
    let top_level = Mark::new();
    let is_typescript = language != Language::JavaScript;
    let mut program = Program::Module(module);
    program.mutate(swc_ecma_transforms_base::resolver(unresolved, top_level, is_typescript));
    // JSX is made with the global factory, also in a file that has an `h` of its own.
    const FACTORY: &str = "globalThis.h";
    const FRAGMENT: &str = "globalThis.Fragment";
    if is_typescript {
        program.mutate(swc_ecma_transforms_typescript::tsx(
            files.clone(),
            swc_ecma_transforms_typescript::Config {
                native_class_properties: true,
                // As on the host: what is imported has to be there, unless it says `type`.
                verbatim_module_syntax: true,
                ..Default::default()
            },
            swc_ecma_transforms_typescript::TsxConfig {
                pragma: Some(FACTORY.into()),
                pragma_frag: Some(FRAGMENT.into()),
            },
            comments.clone(),
            unresolved,
            top_level,
        ));
    }
    let options = swc_ecma_transforms_react::Options {
        runtime: Some(swc_ecma_transforms_react::Runtime::Classic),
        pragma: Some(FACTORY.into()),
        pragma_frag: Some(FRAGMENT.into()),
        ..Default::default()
    };
    program.mutate(swc_ecma_transforms_react::jsx(
        files.clone(),
        Some(comments.clone()),
        options,
        top_level,
        unresolved,
    ));
    program.mutate(swc_ecma_transforms_base::hygiene::hygiene());
    program.mutate(swc_ecma_transforms_base::fixer::fixer(Some(comments)));
    program
}

fn emit(files: &swc_common::sync::Lrc<SourceMap>, comments: &SingleThreadedComments, program: &Program) -> Compiled {
    let mut code = Vec::new();
    let mut positions = Vec::new();
    let writer = JsWriter::new(files.clone(), "\n", &mut code, Some(&mut positions));
    let mut emitter = Emitter {
        cfg: swc_ecma_codegen::Config::default().with_target(EsVersion::latest()),
        cm: files.clone(),
        comments: Some(comments),
        wr: writer,
    };
    // Writing into memory cannot fail.
    let _ = emitter.emit_program(program);
    let map = files.build_source_map(&positions, None, swc_common::source_map::DefaultSourceMapGenConfig);
    let mut json = Vec::new();
    let map = map.to_writer(&mut json).ok().map(|()| Arc::from(json));
    Compiled { code: Arc::from(String::from_utf8_lossy(&code)), map }
}

/// Modules named `modgate:...` are ours; V8 would find them without asking the loader.
fn reserved_import(module: &swc_ecma_ast::Module) -> Option<swc_common::Span> {
    use swc_ecma_ast::{ModuleDecl, ModuleItem};
    module.body.iter().find_map(|item| {
        let source = match item {
            ModuleItem::ModuleDecl(ModuleDecl::Import(import)) => Some(&*import.src),
            ModuleItem::ModuleDecl(ModuleDecl::ExportNamed(export)) => export.src.as_deref(),
            ModuleItem::ModuleDecl(ModuleDecl::ExportAll(export)) => Some(&*export.src),
            _ => None,
        }?;
        source.value.as_str().is_some_and(|name| name.starts_with("modgate:")).then_some(source.span)
    })
}

/// The first `using` or `await using`, at any depth.
fn using(module: &swc_ecma_ast::Module) -> Option<swc_common::Span> {
    struct Finder(Option<swc_common::Span>);
    impl Visit for Finder {
        fn visit_using_decl(&mut self, found: &swc_ecma_ast::UsingDecl) {
            self.0 = self.0.or(Some(found.span));
        }
    }
    let mut finder = Finder(None);
    module.visit_with(&mut finder);
    finder.0
}

fn has_jsx(module: &swc_ecma_ast::Module) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_jsx_element(&mut self, _: &swc_ecma_ast::JSXElement) {
            self.0 = true;
        }
        fn visit_jsx_fragment(&mut self, _: &swc_ecma_ast::JSXFragment) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    module.visit_with(&mut finder);
    finder.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_javascript_is_left_as_it_is() {
        let source = "export const a = 1 // kept\n";
        let compiled = compile("a.js", source).unwrap();
        assert_eq!(&*compiled.code, source);
        assert!(compiled.map.is_none());
    }

    #[test]
    fn types_go_and_enums_stay() {
        let compiled = compile("a.ts", "enum E { A = 2 }\nexport const a: number = E.A as number").unwrap();
        assert!(!compiled.code.contains(": number"), "{}", compiled.code);
        assert!(compiled.code.contains("export const a"), "{}", compiled.code);
        assert!(compiled.map.is_some());
    }

    #[test]
    fn imports_are_as_they_are_written() {
        let code = |source: &str| compile("a.ts", source).unwrap().code.to_string();
        assert!(code("import { T } from './t.ts'").contains("./t.ts"));
        assert!(code("import { type T, v } from './t.ts'\nv").contains("{ v }"));
        for gone in
            ["import type { T } from './t.ts'", "import { type T } from './t.ts'", "export type { T } from './t.ts'"]
        {
            assert!(!code(gone).contains("./t.ts"), "{gone}");
        }
        assert!(!code("interface L { a: 1 }\nexport { L }").contains('L'));
        assert!(code("interface L { a: 1 }\nconst L = 1\nexport { L }").contains("export { L }"));
    }

    #[test]
    fn using_declarations_are_refused_where_they_stand() {
        for (source, column) in [("{ using r = f() }", 3), ("async () => { await using r = f() }", 15)] {
            for path in ["a.ts", "a.js"] {
                let error = compile(path, source).unwrap_err();
                assert_eq!((error.position.line, error.position.column), (1, column), "{path} {source}: {error}");
            }
        }
    }

    #[test]
    fn jsx_uses_the_global_factory() {
        let compiled = compile("a.tsx", "const h = 1; export const a = (B) => <><B x={h}>t</B></>").unwrap();
        assert!(compiled.code.contains("globalThis.h(globalThis.Fragment"), "{}", compiled.code);
    }

    #[test]
    fn an_error_has_its_place() {
        let error = compile("a.ts", "const a = 1\nconst = 2\n").unwrap_err();
        assert_eq!((error.position.line, error.position.column), (2, 7), "{error}");
    }
}
