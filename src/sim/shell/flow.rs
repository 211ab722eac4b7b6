//! Running compound commands: conditions, loops, `case`, functions, `[[ ]]`.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use super::run::{Leave, Running, Shell};
use super::streams::Streams;
use super::syntax::{Arm, Body, Script, Test, Word};
use crate::command::{Call, evaluate_test};
use crate::pattern::Pattern;

impl Shell<'_, '_> {
    pub(super) async fn body(&mut self, body: &Body, streams: &Streams) -> io::Result<()> {
        match body {
            Body::Simple { assignments, words } => self.simple(assignments, words, streams).await,
            Body::Group(script) => self.script(script, streams).await,
            Body::Subshell(script) => {
                let outside = self.enter();
                self.script(script, streams).await?;
                self.leave(outside, streams).await
            }
            Body::If { branches, otherwise } => {
                for (condition, then) in branches {
                    self.condition(condition, streams).await?;
                    if self.left.is_some() {
                        return Ok(());
                    }
                    if self.status == 0 {
                        return self.script(then, streams).await;
                    }
                }
                self.status = 0;
                self.script(otherwise, streams).await
            }
            Body::Loop { until, condition, body } => {
                self.state.loops += 1;
                let ran = self.repeat(*until, condition, body, streams).await;
                self.state.loops = self.state.loops.saturating_sub(1);
                ran
            }
            Body::For { name, words, body } => {
                self.state.loops += 1;
                let ran = self.each(name, words.as_deref(), body, streams).await;
                self.state.loops = self.state.loops.saturating_sub(1);
                ran
            }
            Body::Case { word, arms } => self.case(word, arms, streams).await,
            Body::Function { name, body } => {
                self.exempt = false;
                match self.state.define(name, Arc::clone(body)) {
                    Ok(()) => {
                        self.status = 0;
                        Ok(())
                    }
                    Err(error) => self.complain(streams, &error, 1).await,
                }
            }
            Body::Number(expression) => {
                self.exempt = false;
                let number = self.number(expression).await?;
                self.status = i32::from(number == 0);
                self.faulty(streams).await?;
                Ok(())
            }
            Body::Test(test) => {
                self.exempt = false;
                let holds = self.test(test, streams).await?;
                if !self.faulty(streams).await? {
                    self.status = holds;
                }
                Ok(())
            }
        }
    }

    /// Runs a condition, to which `set -e` does not apply.
    async fn condition(&mut self, condition: &Script, streams: &Streams) -> io::Result<()> {
        self.conditions += 1;
        let ran = self.script(condition, streams).await;
        self.conditions -= 1;
        ran
    }

    async fn repeat(
        &mut self,
        until: bool,
        condition: &Script,
        body: &Script,
        streams: &Streams,
    ) -> io::Result<()> {
        let mut status = 0;
        // Condition and body may both be empty.
        while self.step(streams).await? {
            self.condition(condition, streams).await?;
            if self.left.is_some() {
                if self.leaves_loop() {
                    return Ok(());
                }
                continue;
            }
            if (self.status == 0) == until {
                (self.status, self.exempt) = (status, true);
                return Ok(());
            }
            self.script(body, streams).await?;
            status = self.status;
            if self.leaves_loop() {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn each(
        &mut self,
        name: &str,
        words: Option<&[Word]>,
        body: &Script,
        streams: &Streams,
    ) -> io::Result<()> {
        let values = match words {
            None => (*self.state.arguments).clone(),
            Some(words) => {
                let mut values = Vec::new();
                for word in words {
                    values.extend(self.expand(word).await?);
                }
                values
            }
        };
        if self.faulty(streams).await? {
            return Ok(());
        }
        self.status = 0;
        for value in values {
            if let Err(error) = self.state.set(name, value) {
                self.left = Some(Leave::Exit);
                return self.complain(streams, &error, 2).await;
            }
            self.script(body, streams).await?;
            if self.leaves_loop() {
                break;
            }
        }
        Ok(())
    }

    /// Whether the present loop ends, after `break`, `continue` or anything that goes further.
    fn leaves_loop(&mut self) -> bool {
        let (ends, rest) = match self.left {
            None => return false,
            Some(Leave::Break(loops)) => (true, (loops > 1).then(|| Leave::Break(loops - 1))),
            Some(Leave::Continue(loops)) if loops > 1 => (true, Some(Leave::Continue(loops - 1))),
            Some(Leave::Continue(_)) => (false, None),
            further => (true, further),
        };
        self.left = rest;
        ends
    }

    async fn case(&mut self, word: &Word, arms: &[Arm], streams: &Streams) -> io::Result<()> {
        let text: Vec<char> = self.expand_one(word).await?.chars().collect();
        (self.status, self.exempt) = (0, true);
        let mut falling = false;
        for arm in arms {
            let mut fits = falling;
            for pattern in &arm.patterns {
                if fits || self.fault.is_some() {
                    break;
                }
                fits = Pattern::new(&self.expand_pattern(pattern).await?).fits(&text);
            }
            if self.faulty(streams).await? {
                return Ok(());
            }
            if fits {
                self.script(&arm.body, streams).await?;
                falling = arm.falls;
                if !falling || self.left.is_some() {
                    return Ok(());
                }
            }
        }
        self.faulty(streams).await?;
        Ok(())
    }

    /// Runs a function with these words as its name and arguments.
    pub(super) fn function<'s>(
        &'s mut self,
        body: &'s Script,
        words: Vec<String>,
        streams: &'s Streams,
    ) -> Running<'s> {
        Box::pin(async move {
            let arguments = words.get(1..).unwrap_or_default().to_vec();
            let outside = std::mem::replace(&mut self.state.arguments, Arc::new(arguments));
            let loops = std::mem::take(&mut self.state.loops);
            self.state.hidden.push(Vec::new());
            let ran = self.script(body, streams).await;
            for (name, value) in self.state.hidden.pop().unwrap_or_default().into_iter().rev() {
                let _ = self.state.restore(&name, value);
            }
            self.state.arguments = outside;
            self.state.loops = loops;
            if self.left == Some(Leave::Return) {
                self.left = None;
            }
            ran
        })
    }

    /// `[[ … ]]`: 0 when it holds, 1 when not, 2 when it is no test.
    fn test<'s>(
        &'s mut self,
        test: &'s Test,
        streams: &'s Streams,
    ) -> Pin<Box<dyn Future<Output = io::Result<i32>> + Send + 's>> {
        Box::pin(async move {
            match test {
                Test::Not(inner) => Ok(match self.test(inner, streams).await? {
                    0 => 1,
                    1 => 0,
                    other => other,
                }),
                Test::And(a, b) => match self.test(a, streams).await? {
                    0 => self.test(b, streams).await,
                    other => Ok(other),
                },
                Test::Or(a, b) => match self.test(a, streams).await? {
                    1 => self.test(b, streams).await,
                    other => Ok(other),
                },
                Test::One(None, word) => Ok(i32::from(self.expand_one(word).await?.is_empty())),
                Test::One(Some(option), word) => {
                    let operand = self.expand_one(word).await?;
                    self.plain_test(vec![option.clone(), operand], streams).await
                }
                Test::Two(left, sign, right) if ["=", "==", "!="].contains(&sign.as_str()) => {
                    let text: Vec<char> = self.expand_one(left).await?.chars().collect();
                    let fits = Pattern::new(&self.expand_pattern(right).await?).fits(&text);
                    Ok(i32::from(fits == (sign == "!=")))
                }
                Test::Two(left, sign, right) => {
                    let words =
                        vec![self.expand_one(left).await?, sign.clone(), self.expand_one(right).await?];
                    self.plain_test(words, streams).await
                }
            }
        })
    }

    async fn plain_test(&mut self, words: Vec<String>, streams: &Streams) -> io::Result<i32> {
        let cwd = self.state.cwd().to_owned();
        let call = Call::new(Arc::clone(self.device), Vec::new(), cwd, bytes::Bytes::new());
        match evaluate_test(&call, &words) {
            Ok(holds) => Ok(i32::from(!holds)),
            Err(what) => {
                self.complain(streams, &format!("[[: {what}"), 2).await?;
                Ok(2)
            }
        }
    }
}
