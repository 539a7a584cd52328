//! Results derived from a survey, each computed once. Many targets need the same results: if these were
//! computed for each target, the time of a diagnosis would grow faster than its survey.
//!
//! If a fact was not surveyed yet, that is kept as the result, too: the wants were recorded the first time.

use super::known::Known;
use crate::survey::{Object, TargetName};
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Questions and their answers.
type Answers = HashMap<String, Known<Rc<dyn Any>>>;

/// The results so far. They borrow nothing from the survey, but hold indices into it: the lifetime of the
/// survey is then no part of their type, and `Facts` stays covariant in it.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// By the type of the result.
    known: RefCell<HashMap<TypeId, Answers>>,
    /// The indices of a list's objects in the order of their names, by the address of the list.
    by_name: RefCell<HashMap<*const Object, Rc<[usize]>>>,
}

/// The identity of an object in any version of its API: group, plural, namespace and name.
pub(super) type Asked<'s> = (&'s str, &'s str, Option<&'s str>, &'s str);

pub(super) fn asked(target: &TargetName) -> Asked<'_> {
    (&target.resource.group, &target.resource.plural, target.namespace.as_deref(), &target.name)
}

impl Memo {
    /// The result kept for `key`; the first time, the result of `work`.
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

    /// The indices of a list's objects in the order of their names; objects with the same name keep
    /// the order of the list.
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
