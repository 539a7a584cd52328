//! Runs a few requests at the same time and returns their answers in the order of the requests.

use std::future::poll_fn;
use std::task::Poll;

/// How many writes, or reads of single objects, run at the same time.
pub const AT_ONCE: usize = 16;

/// Runs all of `work` concurrently. Meant for few futures: each wake-up polls all of them.
pub(crate) async fn at_once<F: Future>(work: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut work: Vec<_> = work.into_iter().map(Box::pin).collect();
    let mut outputs: Vec<Option<F::Output>> = work.iter().map(|_| None).collect();
    poll_fn(|context| {
        let mut open = false;
        for (future, output) in work.iter_mut().zip(&mut outputs).filter(|(_, output)| output.is_none()) {
            match future.as_mut().poll(context) {
                Poll::Ready(done) => *output = Some(done),
                Poll::Pending => open = true,
            }
        }
        if open { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    outputs.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test]
    async fn answers_come_in_the_order_of_the_questions() {
        let done = AtomicUsize::new(0);
        let work = (0..AT_ONCE).map(|place| {
            let done = &done;
            async move {
                for _ in place..AT_ONCE {
                    tokio::task::yield_now().await;
                }
                (place, done.fetch_add(1, Ordering::SeqCst))
            }
        });
        let answers = at_once(work).await;
        assert!(answers.iter().enumerate().all(|(place, (of, _))| place == *of), "{answers:?}");
        assert!(answers[0].1 > answers[AT_ONCE - 1].1, "they ran at the same time: {answers:?}");
        assert!(at_once(Vec::<std::future::Ready<()>>::new()).await.is_empty());
    }
}
