//! The time of a thread itself: what it ran and what it waited, without what the machine kept it waiting.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    static OWN: Cell<Own> = const { Cell::new(Own { time: Duration::ZERO, parked: Duration::ZERO, last: None }) };
}

/// What is known of this thread's own time, and what the clocks showed when it was looked at last.
#[derive(Debug, Clone, Copy)]
struct Own {
    time: Duration,
    /// Since the last look.
    parked: Duration,
    last: Option<(Instant, Duration)>,
}

/// A stretch in which the thread ran less than this counts as what it ran. One in which it ran more counts as what went
/// by: a script that is busy until some moment sees that moment come on its own clock.
const HARDLY: Duration = Duration::from_millis(2);

/// Parks the thread, until it is unparked or that much time has gone by.
pub(crate) fn park(timeout: Option<Duration>) {
    let begun = Instant::now();
    match timeout {
        Some(timeout) => std::thread::park_timeout(timeout),
        None => std::thread::park(),
    }
    let own = OWN.get();
    OWN.set(Own { parked: own.parked + begun.elapsed(), ..own });
}

/// How long this thread has been at work or parked, from some moment on. It stands still while the thread wants to run
/// and gets no processor. Where the system does not tell, it is the time that went by.
pub(crate) fn own_time() -> Duration {
    let Some(ran) = ThreadClock::of_this_thread().and_then(ThreadClock::read) else {
        return crate::limits::since_start();
    };
    let now = Instant::now();
    let own = OWN.get();
    let (since, ran_then) = own.last.unwrap_or((now, ran));
    let stretch = (now - since).saturating_sub(own.parked);
    let ran_since = ran.saturating_sub(ran_then);
    let at_work = if ran_since < HARDLY { ran_since.min(stretch) } else { stretch };
    let time = own.time + own.parked + at_work;
    OWN.set(Own { time, parked: Duration::ZERO, last: Some((now, ran)) });
    time
}

static COUNTS_ALL: AtomicBool = AtomicBool::new(false);

/// Counts every budget in the own time of its thread from now on, whatever it is; otherwise only those of a second at
/// most are. It costs a hook a microsecond or two.
pub fn count_own_time() {
    COUNTS_ALL.store(true, Ordering::Relaxed);
}

/// The longest budget that is counted in own time, in milliseconds.
pub(crate) fn longest_own_budget() -> f64 {
    if COUNTS_ALL.load(Ordering::Relaxed) { f64::INFINITY } else { 1000.0 }
}

/// The processor time of one thread, which other threads may read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadClock {
    #[cfg(target_os = "linux")]
    id: nix::time::ClockId,
}

impl ThreadClock {
    #[cfg(target_os = "linux")]
    pub(crate) fn of_this_thread() -> Option<ThreadClock> {
        Some(ThreadClock { id: nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID })
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn of_this_thread() -> Option<ThreadClock> {
        None
    }

    /// The same for other threads to read.
    #[cfg(target_os = "linux")]
    pub(crate) fn shared() -> Option<ThreadClock> {
        // How Linux numbers the processor clock of a thread (`clock_getcpuclockid` gives a process's).
        let id = (!nix::unistd::gettid().as_raw() << 3) | 6;
        Some(ThreadClock { id: nix::time::ClockId::from_raw(id) })
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn shared() -> Option<ThreadClock> {
        None
    }

    /// None when the thread has ended.
    #[cfg(target_os = "linux")]
    pub(crate) fn read(self) -> Option<Duration> {
        nix::time::clock_gettime(self.id).ok().map(Duration::from)
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn read(self) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn waiting_and_running_count() {
        let before = own_time();
        park(Some(Duration::from_millis(20)));
        let parked = own_time();
        assert!(parked - before >= Duration::from_millis(20));
        let clock = ThreadClock::shared().expect("Linux tells");
        let until = clock.read().map(|ran| ran + HARDLY * 2);
        while clock.read() < until {}
        assert!(own_time() - parked >= HARDLY * 2);
    }

    #[test]
    fn another_thread_reads_what_this_one_ran() {
        let clock = ThreadClock::shared();
        let (first, second) = std::thread::spawn(move || {
            let first = clock.and_then(ThreadClock::read);
            (first, clock.and_then(ThreadClock::read))
        })
        .join()
        .expect("the thread ends");
        assert!(first.is_some() && second >= first);
    }
}
