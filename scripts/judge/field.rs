//! Whether a mine field satisfies the clues of a case: for answers of other people's programs.

/// Whether `answer` is a field in the very form that is due, and every clue of `input` counts the
/// mines of its 3×3 block.
pub fn satisfies(input: &[u8], answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    match (read_clues(&text), read_field(answer)) {
        (Some(clues), Some(field)) => {
            let same_size = clues.len() == field.len() && clues[0].len() == field[0].len();
            same_size && counts(&field) == clues
        }
        _ => false,
    }
}

/// The mines in the 3×3 block around every cell.
fn counts(field: &[Vec<bool>]) -> Vec<Vec<i64>> {
    let near = |at: usize, length: usize| at.saturating_sub(1)..length.min(at + 2);
    let mut counts = vec![vec![0; field[0].len()]; field.len()];
    for (row, line) in counts.iter_mut().enumerate() {
        for (column, count) in line.iter_mut().enumerate() {
            for above in &field[near(row, field.len())] {
                let block = &above[near(column, above.len())];
                *count += block.iter().map(|&mine| i64::from(mine)).sum::<i64>();
            }
        }
    }
    counts
}

/// Lines of `x` and `_` with one space between, all of one length.
fn read_field(answer: &[u8]) -> Option<Vec<Vec<bool>>> {
    let text = std::str::from_utf8(answer).ok()?.strip_suffix('\n')?;
    let cell = |word: &str| match word {
        "x" => Some(true),
        "_" => Some(false),
        _ => None,
    };
    let rows: Option<Vec<Vec<bool>>> = text
        .split('\n')
        .map(|line| line.split(' ').map(cell).collect())
        .collect();
    rows.filter(|rows| rows.iter().all(|row| row.len() == rows[0].len()))
}

/// The clues, from a literal in brackets or from plain numbers behind their counts; the input is a
/// case of the test data, so it is well formed.
fn read_clues(text: &str) -> Option<Vec<Vec<i64>>> {
    let text = text.trim_start_matches('\u{FEFF}');
    let literal = text
        .find('=')
        .map_or(text, |at| &text[at + 1..])
        .trim_start();
    if literal.starts_with(['{', '[']) {
        return read_literal(literal);
    }
    let mut numbers = text
        .split_ascii_whitespace()
        .map(|word| word.parse::<i64>());
    let mut count = || {
        usize::try_from(numbers.next()?.ok()?)
            .ok()
            .filter(|&n| n > 0)
    };
    let (rows, columns) = (count()?, count()?);
    (0..rows)
        .map(|_| (0..columns).map(|_| numbers.next()?.ok()).collect())
        .collect()
}

/// Rows of numbers in brackets, up to the bracket that closes the outer one.
fn read_literal(text: &str) -> Option<Vec<Vec<i64>>> {
    let mut rows = Vec::new();
    let mut depth = 0;
    let mut row = String::new();
    for character in text.chars() {
        match character {
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(rows).filter(|rows: &Vec<Vec<i64>>| !rows.is_empty());
                }
                let numbers = row.split(',').map(|number| number.trim().parse().ok());
                rows.push(numbers.collect::<Option<Vec<i64>>>()?);
                row.clear();
            }
            _ if depth == 2 => row.push(character),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::satisfies;

    const FORMS: [&str; 4] = [
        "2 2\n1 1\n1 1\n",
        "\u{FEFF} 2 2 1 1 1 1 and more",
        "{{1, 1}, {1, 1}}",
        "int arr[2][2] =\n[[1,1],\r\n[1,1]]; {{",
    ];

    #[test]
    fn a_field_must_meet_every_clue() {
        for form in &FORMS {
            assert!(satisfies(form.as_bytes(), b"x _\n_ _\n"), "{}", form);
            assert!(satisfies(form.as_bytes(), b"_ _\n_ x\n"), "{}", form);
            assert!(!satisfies(form.as_bytes(), b"_ _\n_ _\n"), "{}", form);
            assert!(!satisfies(form.as_bytes(), b"x x\n_ _\n"), "{}", form);
        }
    }

    #[test]
    fn a_field_must_have_the_form_that_is_due() {
        for answer in &[
            "",
            "\n",
            "-1\n",
            "x _ _ _\n",
            "x _\n_ _",
            "x _\n_ _\n\n",
            "X _\n_ _\n",
            "x_\n__\n",
            "x _\n_  _\n",
        ] {
            assert!(
                !satisfies(FORMS[0].as_bytes(), answer.as_bytes()),
                "{:?}",
                answer
            );
        }
    }
}
