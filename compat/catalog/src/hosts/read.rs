//! Reading the profiles.

use super::{HostProfile, compare_versions};

pub(super) const FILES: [(&str, &str); 5] = [
    ("claude-code@2.1.287", include_str!("../../data/hosts/claude-code@2.1.287.toml")),
    ("claude-code@2.1.332", include_str!("../../data/hosts/claude-code@2.1.332.toml")),
    ("codex@0.171.0", include_str!("../../data/hosts/codex@0.171.0.toml")),
    ("dsh@0.2.1-alpha.1", include_str!("../../data/hosts/dsh@0.2.1-alpha.1.toml")),
    ("native@0.1.0", include_str!("../../data/hosts/native.toml")),
];

/// All profiles, by name, older versions first.
pub(super) fn all() -> Result<Vec<HostProfile>, toml::de::Error> {
    let mut hosts: Vec<HostProfile> = FILES.iter().map(|(_, text)| toml::from_str(text)).collect::<Result<_, _>>()?;
    hosts.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| compare_versions(&a.version, &b.version)));
    Ok(hosts)
}
