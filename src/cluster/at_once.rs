//! A few requests at a time, with their answers in the order of the questions.

use std::future::poll_fn;
use std::task::Poll;

/// So many writes, or looks at single objects, are under way at a time.
pub const TOGETHER: usize = 16;

/// Does all of `work` at once. It is meant for a few: whenever one gets on, all are asked.
pub(super) async fn at_once<F: Future>(work: impl IntoIterator<Item = F>) -> Vec<F::Output> {
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
        let work = (0..TOGETHER).map(|place| {
            let done = &done;
            async move {
                for _ in place..TOGETHER {
                    tokio::task::yield_now().await;
                }
                (place, done.fetch_add(1, Ordering::SeqCst))
            }
        });
        let answers = at_once(work).await;
        assert!(answers.iter().enumerate().all(|(place, (of, _))| place == *of), "{answers:?}");
        assert!(answers[0].1 > answers[TOGETHER - 1].1, "they ran at the same time: {answers:?}");
        assert!(at_once(Vec::<std::future::Ready<()>>::new()).await.is_empty());
    }
}
