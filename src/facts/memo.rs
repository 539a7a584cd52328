//! What was worked out of a survey, once. Most of many targets ask for the same, and a diagnosis
//! that works it out for each of them grows faster than what was read.
//!
//! That something was not surveyed yet is kept, too: its wants were left the first time.

use super::known::Known;
use crate::survey::{Object, TargetName};
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Questions and their answers.
type Answers = HashMap<String, Known<Rc<dyn Any>>>;

/// What was worked out. It holds no part of the survey, but says where in it something is:
/// so facts of a longer life can stand for those of a shorter one.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// By the type of the answer.
    known: RefCell<HashMap<TypeId, Answers>>,
    /// The places of the objects of a list in the order of their names, by where the list begins.
    by_name: RefCell<HashMap<*const Object, Rc<[usize]>>>,
}

/// What tells one object from all others, whichever version it is asked for in.
pub(super) type Asked<'s> = (&'s str, &'s str, Option<&'s str>, &'s str);

pub(super) fn asked(target: &TargetName) -> Asked<'_> {
    (&target.resource.group, &target.resource.plural, target.namespace.as_deref(), &target.name)
}

impl Memo {
    /// What is known by `key`, or what `work` gives.
    pub(super) fn once<T: 'static>(&self, key: &str, work: impl FnOnce() -> Known<T>) -> Known<Rc<T>> {
        let answers = TypeId::of::<T>();
        let known = self.known.borrow().get(&answers).and_then(|known| known.get(key)).cloned();
        let known = known.unwrap_or_else(|| {
            let new = work().map(|new| Rc::new(new) as Rc<dyn Any>);
            self.known.borrow_mut().entry(answers).or_default().insert(key.to_owned(), new.clone());
            new
        });
        known.map(|known| known.downcast::<T>().unwrap_or_else(|_| unreachable!("its key tells its type")))
    }

    /// The places of the objects of a list in the order of their names; of several of one name
    /// in that of the list.
    pub(super) fn by_name(&self, list: &[Object]) -> Rc<[usize]> {
        let mut known = self.by_name.borrow_mut();
        let sorted = known.entry(list.as_ptr()).or_insert_with(|| {
            let mut places: Vec<usize> = (0..list.len()).collect();
            places.sort_by_key(|place| list[*place].name());
            places.into()
        });
        Rc::clone(sorted)
    }
}
