//! The only workload that may write a kind: programs often write under another name than their
//! workload's.

use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::owner::RuledOut;
use crate::kubernetes::ownership::traces::Traces;

/// The index, among workloads that were ruled out, of the one with the only account that has a
/// permission on a custom kind. Each is given by its account, and why it was ruled out.
pub(crate) fn find<'o>(
    all: impl Iterator<Item = (Account, Option<&'o RuledOut>)>,
    traces: &Traces<'_>,
) -> Option<usize> {
    let rights = &traces.rights;
    let [holder] = rights.holders.as_slice() else { return None };
    if !is_custom(&traces.kind.group) || !rights.complete || rights.user.is_some() {
        return None;
    }
    let only_its_name = |out: &RuledOut| out.by_name && (!out.sure || traces.catalogue_is_of_another_product());
    let is_it =
        |(account, out): &(Account, Option<&RuledOut>)| *account == holder.account && out.is_some_and(only_its_name);
    let mut fit = all.enumerate().filter(|(_, one)| is_it(one));
    fit.next().map(|(place, _)| place).filter(|_| fit.next().is_none())
}
