//! The known name a misspelt one was probably meant to be.

/// The candidate most like `name`; `None` when none is near enough to be worth offering.
pub(crate) fn nearest<'name>(name: &str, candidates: impl Iterator<Item = &'name str>) -> Option<&'name str> {
    const LIKE: f64 = 0.84;
    let lower = name.to_lowercase();
    candidates
        .map(|candidate| (candidate, strsim::jaro_winkler(&lower, &candidate.to_lowercase())))
        .filter(|(_, likeness)| *likeness >= LIKE)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(candidate, _)| candidate)
}
