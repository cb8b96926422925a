//! A language server: the findings of `modgate validate` while a mod is written, the pages of rules, and completion of
//! event names and members of `$`.
//!
//! Messages are handled one after the other. Findings are made when nothing is waiting, so that fast typing costs one
//! check and not one a key.

mod completion;
mod convert;
mod hover;
mod token;
mod workspace;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Notification as _, PublishDiagnostics,
};
use lsp_types::request::{Completion, HoverRequest, Request as _};
use lsp_types::{
    CompletionOptions, CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, HoverParams, HoverProviderCapability, InitializeResult, SaveOptions, ServerCapabilities,
    ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};
use modgate_validate::Options;
use serde::de::DeserializeOwned;

use crate::error::Failure;
use crate::exit::Exit;
use workspace::Workspace;

/// Serves the editor on standard input and output until it says exit.
pub(crate) fn serve(options: Options) -> Result<Exit, Failure> {
    let (connection, threads) = Connection::stdio();
    let exit = talk(&connection, options);
    // The writing thread ends when nothing can be sent any more.
    drop(connection);
    threads.join()?;
    exit
}

fn talk(connection: &Connection, options: Options) -> Result<Exit, Failure> {
    let (id, _) = connection.initialize_start().map_err(protocol)?;
    let result = InitializeResult {
        capabilities: capabilities(),
        server_info: Some(ServerInfo {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    connection.initialize_finish(id, serde_json::to_value(result).map_err(protocol)?).map_err(protocol)?;
    let mut workspace = Workspace::new(options);
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(protocol)? {
                    return Ok(Exit::Fine);
                }
                publish(connection, &mut workspace)?;
                send(connection, Message::Response(answer(&workspace, request)))?;
            }
            Message::Notification(note) => take(&mut workspace, note),
            // We ask the editor nothing.
            Message::Response(_) => {}
        }
        if connection.receiver.is_empty() {
            publish(connection, &mut workspace)?;
        }
    }
    Err(Failure::Protocol("it went away without saying exit".to_owned()))
}

fn capabilities() -> ServerCapabilities {
    let strings = |all: &[&str]| Some(all.iter().map(|text| (*text).to_owned()).collect());
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: strings(&[".", "'", "\"", "`"]),
            ..CompletionOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// A notification that cannot be read is passed over: the protocol has no answer to one.
fn take(workspace: &mut Workspace, note: Notification) {
    match note.method.as_str() {
        DidOpenTextDocument::METHOD => {
            if let Some(DidOpenTextDocumentParams { text_document: it }) = read(note) {
                workspace.open(it.uri, it.version, it.text);
            }
        }
        DidChangeTextDocument::METHOD => {
            if let Some(DidChangeTextDocumentParams { text_document: it, content_changes }) = read(note)
                && let Some(change) = content_changes.into_iter().next_back()
            {
                workspace.open(it.uri, it.version, change.text);
            }
        }
        DidCloseTextDocument::METHOD => {
            if let Some(DidCloseTextDocumentParams { text_document: it }) = read(note) {
                workspace.close(&it.uri);
            }
        }
        DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => workspace.disk_changed(),
        _ => {}
    }
}

fn read<T: DeserializeOwned>(note: Notification) -> Option<T> {
    serde_json::from_value(note.params).ok()
}

fn answer(workspace: &Workspace, request: Request) -> Response {
    match request.method.as_str() {
        HoverRequest::METHOD => with(request, |params: HoverParams| {
            let at = params.text_document_position_params;
            hover::hover(workspace, &at.text_document.uri, at.position)
        }),
        Completion::METHOD => with(request, |params: CompletionParams| {
            let at = params.text_document_position;
            completion::completion(workspace, &at.text_document.uri, at.position)
        }),
        method => {
            let text = format!("{method} is not served");
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, text)
        }
    }
}

fn with<P: DeserializeOwned, R: serde::Serialize>(request: Request, handle: impl FnOnce(P) -> R) -> Response {
    match serde_json::from_value(request.params) {
        Ok(params) => Response::new_ok(request.id, handle(params)),
        Err(error) => Response::new_err(request.id, ErrorCode::InvalidParams as i32, error.to_string()),
    }
}

fn publish(connection: &Connection, workspace: &mut Workspace) -> Result<(), Failure> {
    for params in workspace.refresh() {
        let note = Notification::new(PublishDiagnostics::METHOD.to_owned(), params);
        send(connection, Message::Notification(note))?;
    }
    Ok(())
}

fn send(connection: &Connection, message: Message) -> Result<(), Failure> {
    connection.sender.send(message).map_err(protocol)
}

fn protocol(error: impl ToString) -> Failure {
    Failure::Protocol(error.to_string())
}
