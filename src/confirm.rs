//! The questions before anything is written. No question defaults to yes; an empty answer is not an
//! answer.

mod dialog;
mod first;
#[cfg(unix)]
mod keyboard;
mod menu;
mod pages;
#[cfg(not(unix))]
mod keyboard {
    //! On other platforms, a dialog reads directly from the person's terminal.

    /// A dialog's own terminal.
    #[derive(Debug)]
    pub enum Keyboard {}

    impl Keyboard {
        /// Not available on this platform.
        ///
        /// # Errors
        /// Always.
        pub fn open() -> std::io::Result<Self> {
            Err(std::io::ErrorKind::Unsupported.into())
        }

        /// Ends the dialog that reads from this terminal.
        pub fn end(&mut self) {
            match *self {}
        }
    }
}

pub use dialog::{Choice, has_dialogs, has_room, is_dumb, name, yes_or_no};
pub use first::{lines_of_the_first, touched};
pub use keyboard::Keyboard;
pub use menu::{Chosen, Ink, MenuWay};
pub use pages::in_pages;

use crate::report::{Finding, Ref, Remedy, Report, Risk, Step, StepKind, some_of};
use crate::screen::{Talk, clean, cost};
use menu::Menu;
use std::io::{self, BufRead, Write};

/// The subject of a question.
#[derive(Debug, Clone)]
pub struct Question {
    /// The steps that one answer covers: one, or several of one class.
    pub alike: Vec<Step>,
    /// The risk to agree to.
    pub risk: Risk,
    /// Whether the steps must be approved by name, whatever their risk.
    pub by_name: bool,
}

/// How many objects a question names; the details list all.
const MAX_NAMED: usize = 3;
/// How many namespaces are named.
const MAX_TOUCHED: usize = 5;

/// The question about one step, or about one class of steps.
pub fn question(label: &str, context: Option<&str>, remedy: &Remedy, asked: &Question) -> Talk {
    let context = context.map(|context| format!("  (context {context})")).unwrap_or_default();
    let alike = and_alike(&asked.alike[0].object, &asked.alike[1..]);
    Talk::from(format!("{label}  {}{alike}?{context}", asked.alike[0].title())).and_cost(remedy)
}

/// A remedy as a line of a choice. `touched` are the namespaces that are nudged afterwards.
#[must_use]
pub fn way_of(remedy: &Remedy, touched: &[String]) -> MenuWay {
    let then = remedy.steps.first().and_then(|step| touches(touched, step)).map(|it| format!("; {it}"));
    let then = then.unwrap_or_default();
    let about = format!("{}: {}{then}", cost(remedy), remedy.consequence);
    MenuWay { risk: Some(remedy.level()), label: in_short(remedy), about }
}

/// The action of a remedy in one line: `remove finalizer acme.io/backup from 300 databases -n many`.
#[must_use]
pub fn in_short(remedy: &Remedy) -> String {
    match &remedy.steps[..] {
        [] => remedy.title.to_string(),
        [only] => only.title(),
        [first, others @ ..]
            if others.iter().all(|other| other.class().is_some() && other.class() == first.class()) =>
        {
            Step::title_of_all(&remedy.steps)
        }
        [first, _] => format!("{} and 1 more step", first.title()),
        [first, others @ ..] => format!("{} and {} more steps", first.title(), others.len()),
    }
}

/// The question about several remedies of one cause, which holds `subject` and `others` more
/// objects.
pub fn choice(label: &str, subject: &Ref, others: usize, context: Option<&str>) -> Talk {
    let context = context.map(|context| format!("  (context {context})")).unwrap_or_default();
    let others = if others > 0 { format!(" and {others} more") } else { String::new() };
    Talk::from(format!("{label}  {subject}{others}: which way out?{context}"))
}

/// What stands above a question: a blank line, and the cause that it is about if there are several.
pub fn above(cause: &Finding, report: &Report) -> Talk {
    let is_one_of_several = report.root_causes().len() > 1;
    Talk::apart().and_all(is_one_of_several.then(|| cause.summary.to_string()))
}

/// The nudges after a step, as a line below its question; empty if there are none.
pub fn afterwards(touched: &[String], step: &Step) -> Talk {
    touches(touched, step).map_or_else(Talk::default, |it| Talk::from(format!("  {it}")))
}

/// The nudges of this run after a step, so that controllers check namespaces again.
fn touches(touched: &[String], step: &Step) -> Option<String> {
    if touched.is_empty() || step.kind() == StepKind::NudgeNamespace {
        return None;
    }
    let named = some_of(touched, MAX_TOUCHED);
    Some(format!(
        "afterwards, if needed, this program adds an annotation, so that the namespace controller checks \
        {named} again (harmless)"
    ))
}

/// ` and 2 more of its kind: a, b`
fn and_alike(first: &Ref, others: &[Step]) -> String {
    let named: Vec<String> = others.iter().take(MAX_NAMED).map(|other| named_beside(first, &other.object)).collect();
    match others.len() {
        0 => String::new(),
        count if count > MAX_NAMED => {
            format!(" and {count} more of its kind: {}, … (details list them)", named.join(", "))
        }
        count => format!(" and {count} more of its kind: {}", named.join(", ")),
    }
}

/// The name, with its namespace if that differs.
fn named_beside(first: &Ref, object: &Ref) -> String {
    match &object.namespace {
        Some(namespace) if first.namespace != object.namespace => format!("{namespace}/{}", object.name),
        _ => object.name.clone(),
    }
}

impl Question {
    /// The text to type in order to approve it; `None` if a yes is enough.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        (self.risk.is_harsh() || self.by_name).then(|| name_of_all(&self.alike))
    }
}

/// The text to type for this name: the name, after `yes` if the name alone is already an answer.
#[must_use]
pub fn to_type(name: &str) -> String {
    if understand(name, None).is_some() { format!("yes {name}") } else { name.to_owned() }
}

/// Asks whether to carry out a step; the preselected answer writes nothing. Blocks.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub fn choose(ink: Ink) -> io::Result<Choice> {
    Ok(match choose_among(&[only_way()], ink)? {
        Chosen::Way(_) => Choice::Yes,
        Chosen::Details => Choice::Details,
        Chosen::Skip => Choice::No,
        Chosen::Quit => Choice::Quit,
    })
}

/// The only remedy; the question itself states its action and cost.
fn only_way() -> MenuWay {
    MenuWay { risk: None, label: "do it".into(), about: String::new() }
}

/// Asks for one of several remedies; the preselected answer writes nothing. Blocks.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub fn choose_among(ways: &[MenuWay], ink: Ink) -> io::Result<Chosen> {
    Ok(dialog::or_end(Menu::new(ways).choose(ink))?.unwrap_or(Chosen::Quit))
}

/// Asks for one of several decisions that write nothing; the first is preselected. Returns its place, or `None`
/// if the person asks for no more questions. Blocks.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub fn decide(labels: &[&str], ink: Ink) -> io::Result<Option<usize>> {
    let line = |label: &&str| MenuWay { risk: None, label: (*label).to_owned(), about: String::new() };
    let ways: Vec<MenuWay> = labels.iter().map(line).collect();
    let chosen = dialog::or_end(Menu::of_decisions(&ways).choose(ink))?;
    Ok(match chosen {
        Some(Chosen::Way(place)) => Some(place),
        _ => None,
    })
}

/// Reads a line that approves something with this name, or with a yes; repeats the question until
/// there is an answer. The terminal itself edits the line, so it handles long prompts, narrow
/// windows and resizing; the end of input quits. Blocks.
///
/// # Errors
/// When the terminal is gone.
#[expect(clippy::disallowed_methods, reason = "this is where a person is asked")]
pub fn ask(name: Option<&str>) -> io::Result<Choice> {
    ask_over(&mut io::stdin().lock(), &mut io::stderr(), name)
}

fn ask_over(hear: &mut dyn BufRead, talk: &mut dyn Write, name: Option<&str>) -> io::Result<Choice> {
    let yes = name.map_or_else(|| "[y]es".to_owned(), |name| format!("type {} to confirm", clean(name)));
    let prompt = format!("  {yes}  [n]o  [d]etails  [q]uit > ");
    loop {
        let Some(line) = line(hear, talk, &prompt)? else { return Ok(Choice::Quit) };
        if let Some(choice) = understand(line.trim(), name) {
            return Ok(choice);
        }
    }
}

/// Reads a line; `None` at the end of input.
fn line(hear: &mut dyn BufRead, talk: &mut dyn Write, prompt: &str) -> io::Result<Option<String>> {
    talk.write_all(prompt.as_bytes())?;
    talk.flush()?;
    let mut line = String::new();
    let read = hear.read_line(&mut line)?;
    if read == 0 {
        writeln!(talk)?;
    }
    Ok((read > 0).then_some(line))
}

/// The text that approves these steps: the object's name, or the number of objects.
fn name_of_all(alike: &[Step]) -> String {
    match alike {
        [] => String::new(),
        [only] => name_to_type(only),
        several => several.len().to_string(),
    }
}

/// The object's name, or TYPE/NAME if the name alone is already an answer.
fn name_to_type(step: &Step) -> String {
    let name = &step.object.name;
    if understand(name, None).is_some() { step.object.kubectl() } else { name.clone() }
}

/// The meaning of an answer. `name` approves a harsh step.
fn understand(answer: &str, name: Option<&str>) -> Option<Choice> {
    if name == Some(answer) {
        return Some(Choice::Yes);
    }
    match answer.to_lowercase().as_str() {
        "y" | "yes" if name.is_none() => Some(Choice::Yes),
        "n" | "no" => Some(Choice::No),
        "d" | "details" => Some(Choice::Details),
        "q" | "quit" => Some(Choice::Quit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harsh_steps_need_the_name_and_never_a_yes() {
        assert_eq!(understand("orders", Some("orders")), Some(Choice::Yes));
        for answer in ["y", "yes", "Orders", "order", ""] {
            assert_eq!(understand(answer, Some("orders")), None, "{answer}");
        }
    }

    /// The forced deletion of a pod.
    fn deletion(namespace: &str, name: &str) -> Step {
        crate::plan::steps::force_delete_pod::step(&Ref::from(crate::report::Named {
            api_version: "v1".into(),
            kind: "Pod".into(),
            resource: "pods".into(),
            namespace: Some(namespace.into()),
            name: name.into(),
            ..Default::default()
        }))
    }

    #[test]
    fn an_object_named_like_an_answer_needs_more_than_its_name() {
        let step = deletion("shop", "n");
        assert_eq!(name_to_type(&step), "pods/n");
        assert_eq!(understand("n", Some("pods/n")), Some(Choice::No));
        assert_eq!((to_type("n").as_str(), to_type("web").as_str()), ("yes n", "web"));
    }

    #[test]
    fn a_question_says_what_is_done_to_what_and_what_it_costs() {
        let remedy = Remedy::new(deletion("shop", "web-0"), Risk::Leaks, "its volumes stay attached");
        let asked = |names: &[&str]| Question {
            alike: names.iter().map(|name| deletion("shop", name)).collect(),
            risk: Risk::Leaks,
            by_name: false,
        };
        let title = deletion("shop", "web-0").title();
        let one = question("Step 1 of 2", Some("prod"), &remedy, &asked(&["web-0"])).plain();
        assert_eq!(one, format!("Step 1 of 2  {title}?  (context prod)\n  {}: its volumes stay attached", Risk::Leaks));
        let four = question("Step 1", None, &remedy, &asked(&["web-0", "a", "b", "c"])).plain();
        assert!(four.starts_with(&format!("Step 1  {title} and 3 more of its kind: a, b, c?\n")), "{four}");
        let five = question("Step 1", None, &remedy, &asked(&["web-0", "a", "b", "c", "d"])).plain();
        assert!(five.contains(" and 4 more of its kind: a, b, c, … (details list them)?"), "{five}");
    }

    /// A Role may have such a name.
    #[test]
    fn no_name_puts_a_line_into_a_question() {
        let name = "a\n  harmless: nothing happens\n✓ done aaaaaaaaaaaaaaaaaaaa harmless: nothing happens";
        let remedy = Remedy::new(deletion("shop", name), Risk::LosesData, name);
        let asked = Question { alike: vec![deletion("shop", name)], risk: Risk::LosesData, by_name: false };
        let question =
            question("Step 1 of 1", Some(name), &remedy, &asked).then(afterwards(&[name.into()], &asked.alike[0]));
        let question = question.then(choice("Step 1 of 1", &asked.alike[0].object, 0, Some(name)));
        assert_eq!(question.plain().lines().count(), 4, "{}", question.plain());
        for width in 20..120 {
            let shown: String = question.laid_out(Some(width), width, false).into();
            for line in shown.lines() {
                assert!(!line.starts_with("  harmless") && !line.contains('✓'), "{width}: {shown}");
                assert!(console::measure_text_width(line) <= width, "{width}: {shown}");
            }
        }
    }

    #[test]
    fn harsh_steps_never_promise_undo() {
        let says = |risk: Risk, undo: bool| {
            let remedy = Remedy { undo, ..Remedy::new(deletion("shop", "web-0"), risk, "") };
            let asked = Question { alike: vec![deletion("shop", "web-0")], risk, by_name: false };
            question("Step 1", None, &remedy, &asked).plain().contains("can be undone")
        };
        assert!(says(Risk::Disruptive, true));
        assert!(!says(Risk::Disruptive, false) && !says(Risk::LosesData, true));
    }

    #[test]
    fn another_namespace_is_named() {
        let first = deletion("shop", "web-0").object;
        assert_eq!(and_alike(&first, &[]), "");
        assert_eq!(and_alike(&first, &[deletion("bar", "a")]), " and 1 more of its kind: bar/a");
    }

    #[test]
    fn several_objects_are_confirmed_by_their_number() {
        let asked = |steps: &[(&str, &str)], risk, by_name| {
            let alike = steps.iter().map(|(namespace, name)| deletion(namespace, name)).collect();
            Question { alike, risk, by_name }.name()
        };
        assert_eq!(asked(&[("shop", "a")], Risk::Disruptive, false), None);
        assert_eq!(asked(&[("shop", "a")], Risk::Disruptive, true).as_deref(), Some("a"));
        assert_eq!(asked(&[("shop", "a")], Risk::LosesData, false).as_deref(), Some("a"));
        assert_eq!(asked(&[("shop", "a"), ("shop", "b")], Risk::LosesData, false).as_deref(), Some("2"));
        assert_eq!(asked(&[("shop", "a"), ("bar", "b"), ("c", "c")], Risk::Leaks, false).as_deref(), Some("3"));
    }

    #[test]
    fn an_empty_answer_is_no_answer() {
        assert_eq!(understand("", None), None);
        assert_eq!(understand("Y", None), Some(Choice::Yes));
        assert_eq!(understand("q", Some("x")), Some(Choice::Quit));
        for answer in ["d", "details"] {
            assert_eq!(understand(answer, None), Some(Choice::Details), "{answer}");
        }
    }

    /// The choice that these lines lead to, and the output.
    fn answered(lines: &str, name: Option<&str>) -> (Choice, String) {
        let mut shown = Vec::new();
        let choice = ask_over(&mut lines.as_bytes(), &mut shown, name).unwrap();
        (choice, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn a_line_is_read_until_it_is_an_answer() {
        let prompt = "  [y]es  [n]o  [d]etails  [q]uit > ";
        assert_eq!(answered("maybe\n\n Yes \nno\n", None), (Choice::Yes, prompt.repeat(3)));
        let by_name = "  type orders to confirm  [n]o  [d]etails  [q]uit > ";
        assert_eq!(answered("yes\norders\n", Some("orders")), (Choice::Yes, by_name.repeat(2)));
        assert_eq!(answered("n", None), (Choice::No, prompt.into()));
    }

    #[test]
    fn the_end_of_input_quits_and_ends_the_line() {
        assert_eq!(answered("", None), (Choice::Quit, "  [y]es  [n]o  [d]etails  [q]uit > \n".into()));
    }

    #[test]
    fn a_choice_names_the_objects_that_it_releases() {
        let subject = deletion("shop", "web-0").object;
        let asked = |others, context| choice("Step 1 of 2", &subject, others, context).plain();
        assert_eq!(asked(0, None), "Step 1 of 2  Pod shop/web-0: which way out?");
        assert_eq!(asked(299, None), "Step 1 of 2  Pod shop/web-0 and 299 more: which way out?");
        assert!(asked(0, Some("prod")).ends_with("?  (context prod)"));
    }

    #[test]
    fn objects_touched_afterwards_are_named() {
        let step = deletion("shop", "web-0");
        let touched = |count: usize| (0..count).map(|number| format!("n{number}")).collect::<Vec<_>>();
        assert_eq!(afterwards(&[], &step), Talk::default());
        let named = |count| afterwards(&touched(count), &step).plain();
        assert!(named(1).contains("checks n0 again (harmless)"), "{}", named(1));
        assert!(named(5).contains("checks n0, n1, n2, n3, n4 again"), "{}", named(5));
        assert!(named(7).contains("checks n0, n1, n2, n3, n4 and 2 more again"), "{}", named(7));
        let nudge = Step { action: crate::report::NudgeNamespace {}.into(), ..step };
        assert_eq!(afterwards(&touched(1), &nudge), Talk::default());
    }
}
