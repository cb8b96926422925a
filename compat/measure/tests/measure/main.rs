//! Servers, folds and stored measurements, without any real program.

mod cases;
mod claude;
mod codex;
mod drive;
mod record;
mod servers;
