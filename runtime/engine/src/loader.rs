//! Gives V8 the modules of a mod: only its own, plus `claude-code` and, in tests, `claude-code/testing`.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use deno_core::error::ModuleLoaderError;
use deno_core::{
    ModuleLoadOptions, ModuleLoadReferrer, ModuleLoadResponse, ModuleSource, ModuleSourceCode, ModuleSpecifier,
    ModuleType, ResolutionKind,
};
use deno_error::JsErrorBox;

use crate::host::Modules;

/// What an inner module may import, and nobody else.
const HOST_MODULE: &str = "modgate:host";
const INNER: &str = "modgate:/";

/// An inner module: its name for `import`, and the files behind it.
#[derive(Debug, Clone, Copy)]
pub struct InnerModule {
    /// What a mod writes: `claude-code`.
    pub name: &'static str,
    /// The file that it stands for, a path such as `claude-code/main.js`.
    pub entry: &'static str,
    /// Path and text of every file, the entry among them.
    pub files: &'static [(&'static str, &'static str)],
}

#[derive(Default)]
pub(crate) struct Loader {
    /// Told once it is known whose isolate it is; before that there is nothing to import.
    served: OnceCell<Served>,
    maps: RefCell<HashMap<String, Arc<[u8]>>>,
}

struct Served {
    modules: Arc<dyn Modules>,
    inner: Vec<InnerModule>,
}

impl Loader {
    /// Gives these modules from now on.
    pub(crate) fn serve(&self, modules: Arc<dyn Modules>, inner: Vec<InnerModule>) {
        // An isolate is given to one mod, once.
        let _ = self.served.set(Served { modules, inner });
    }

    fn modules(&self) -> Option<&dyn Modules> {
        self.served.get().map(|served| &*served.modules)
    }

    fn inner(&self) -> &[InnerModule] {
        self.served.get().map_or(&[], |served| &served.inner)
    }

    /// The URL of a module of the mod.
    pub(crate) fn url(&self, path: &str) -> Option<ModuleSpecifier> {
        module_url(self.modules()?.root(), path)
    }

    fn path_of(&self, url: &str) -> Option<String> {
        path_in_root(self.modules()?.root(), url)
    }

    fn resolve_inner(&self, specifier: &str, referrer: &str) -> Option<Result<ModuleSpecifier, JsErrorBox>> {
        if referrer.starts_with(INNER) {
            if specifier == HOST_MODULE {
                return Some(parse(HOST_MODULE));
            }
            let base = parse(referrer);
            return Some(base.and_then(|base| base.join(specifier).map_err(|error| refused(error.to_string()))));
        }
        let module = self.inner().iter().find(|module| module.name == specifier)?;
        Some(parse(&format!("{INNER}{}", module.entry)))
    }

    fn load_text(&self, url: &ModuleSpecifier) -> Result<Arc<str>, JsErrorBox> {
        if let Some(path) = url.as_str().strip_prefix(INNER) {
            let files = self.inner().iter().flat_map(|module| module.files);
            return files
                .into_iter()
                .find(|(name, _)| *name == path)
                .map(|(_, text)| Arc::from(*text))
                .ok_or_else(|| refused(format!("there is no inner module {path}")));
        }
        let foreign = || refused(format!("{url} is not a file of this mod"));
        let path = self.path_of(url.as_str()).ok_or_else(foreign)?;
        let compiled = self.modules().ok_or_else(foreign)?.load(&path).map_err(|fault| refused(fault.message))?;
        if let Some(map) = compiled.map {
            self.maps.borrow_mut().insert(url.as_str().to_string(), map);
        }
        Ok(compiled.code)
    }
}

fn parse(url: &str) -> Result<ModuleSpecifier, JsErrorBox> {
    ModuleSpecifier::parse(url).map_err(|error| refused(error.to_string()))
}

fn refused(message: String) -> JsErrorBox {
    JsErrorBox::new("HooksError", message)
}

/// The `file:` URL of a path inside a mod's folder.
pub(crate) fn module_url(root: &str, path: &str) -> Option<ModuleSpecifier> {
    ModuleSpecifier::from_file_path(std::path::Path::new(root).join(path)).ok()
}

/// The path inside the mod's folder that a `file:` URL names.
pub(crate) fn path_in_root(root: &str, url: &str) -> Option<String> {
    let path = ModuleSpecifier::parse(url).ok()?.to_file_path().ok()?;
    let inside = path.strip_prefix(root).ok()?;
    Some(inside.to_string_lossy().replace('\\', "/"))
}

impl deno_core::ModuleLoader for Loader {
    fn resolve(
        &self,
        specifier: &str,
        referrer: &str,
        kind: ResolutionKind,
    ) -> Result<ModuleSpecifier, ModuleLoaderError> {
        if matches!(kind, ResolutionKind::MainModule) {
            return parse(specifier);
        }
        if matches!(kind, ResolutionKind::DynamicImport) {
            return Err(refused("a mod cannot import while it runs: import() is not available".into()));
        }
        if let Some(inner) = self.resolve_inner(specifier, referrer) {
            return inner;
        }
        let foreign = || refused(format!("{referrer} is not a file of this mod"));
        let from = self.path_of(referrer).ok_or_else(foreign)?;
        let path =
            self.modules().ok_or_else(foreign)?.resolve(specifier, &from).map_err(|fault| refused(fault.message))?;
        self.url(&path).ok_or_else(|| refused(format!("{path} has no address")))
    }

    fn load(&self, url: &ModuleSpecifier, _: Option<&ModuleLoadReferrer>, _: ModuleLoadOptions) -> ModuleLoadResponse {
        ModuleLoadResponse::Sync(self.load_text(url).map(|text| {
            ModuleSource::new(ModuleType::JavaScript, ModuleSourceCode::String(text.to_string().into()), url, None)
        }))
    }

    fn get_source_map(&self, file_name: &str) -> Option<Cow<'_, [u8]>> {
        self.maps.borrow().get(file_name).map(|map| Cow::Owned(map.to_vec()))
    }
}
