//! Whether a text reads as a unified diff.

/// Hunks whose headers count their lines rightly, perhaps after a pair of file names.
pub(super) fn is_diff(source: &str) -> bool {
    let mut lines = source.lines().peekable();
    while lines.peek().is_some_and(|line| line.starts_with("--- ") || line.starts_with("+++ ")) {
        lines.next();
    }
    let mut hunks = 0;
    while let Some(header) = lines.next() {
        let Some((mut old, mut new)) = header_of(header) else { return header.is_empty() && hunks > 0 };
        hunks += 1;
        while old > 0 || new > 0 {
            match lines.next().map(|line| line.as_bytes().first().copied().unwrap_or(b' ')) {
                Some(b'-') if old > 0 => old -= 1,
                Some(b'+') if new > 0 => new -= 1,
                Some(b' ') if old > 0 && new > 0 => {
                    old -= 1;
                    new -= 1;
                }
                Some(b'\\') => {}
                _ => return false,
            }
        }
        while lines.peek().is_some_and(|line| line.starts_with('\\')) {
            lines.next();
        }
    }
    hunks > 0
}

/// The line counts of `@@ -1,2 +1,3 @@`; a count that is left out is one.
fn header_of(line: &str) -> Option<(usize, usize)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| match range.split_once(',') {
        Some((start, count)) => start.parse::<usize>().ok().and_then(|_| count.parse().ok()),
        None => range.parse::<usize>().ok().map(|_| 1),
    };
    Some((count(old)?, count(new)?))
}

#[cfg(test)]
mod tests {
    use super::is_diff;

    #[test]
    fn hunks_are_counted() {
        assert!(is_diff("--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n"));
        assert!(is_diff("@@ -1,2 +1,1 @@ fn x\n same\n-gone\n\\ No newline at end of file\n"));
        assert!(is_diff("@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n x"));
        assert!(!is_diff("hello"));
        assert!(!is_diff("@@ -1,3 +1,1 @@\n same\n-gone"));
        assert!(!is_diff("--- a\n+++ b\n"));
    }
}
