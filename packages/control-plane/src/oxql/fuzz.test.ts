import { expect, it } from 'vitest'
import { seeded } from '../testing/seeded.ts'
import { OxqlError } from './oxql-error.ts'
import { parseQuery } from './parse.ts'
import { planQuery } from './plan.ts'
import { ask } from './testing/ask.ts'
import { Generator } from './testing/generate.ts'
import { MemorySource } from './testing/memory-source.ts'

const pieces = [
  'get a:b', ' | ', '{', '}', ';', 'filter ', 'x', '==', '~=', '"(a+)+$"', "'", '"', '(', ')', '!', '&&', '||', '^',
  '@now()', '@', '-', '1', '1.5', '9'.repeat(30), '5m', '1Y', 'align mean_within(', 'group_by [', ']', ',', 'join', 'last 1',
  'timestamp', 'datum', '<', '\\u{', '\u0000', '\ud800', '😀', '\n', '\t', ' ', 'true', 'start_time',
] // prettier-ignore

/** Damages a text at some places. */
function damaged(text: string, below: (count: number) => number): string {
  let result = text
  for (let count = below(3); count > 0; count--) {
    const at = below(result.length + 1)
    result = `${result.slice(0, at)}${pieces[below(pieces.length)]}${result.slice(at + below(4))}`
  }
  return result
}

it('answers or refuses every text, and breaks on none', async () => {
  const below = seeded(41)
  const outcomes = { answered: 0, refused: 0 }
  for (let round = 0; round < 1500; round++) {
    const generator = new Generator(round + 1)
    const text =
      round % 3 === 0
        ? Array.from({ length: below(40) }, () => pieces[below(pieces.length)]).join('')
        : damaged(generator.query(), below)
    const source = new MemorySource(round % 3 === 0 ? [] : generator.tables())
    await Promise.resolve()
      .then(() => ask(source, text))
      .then(
        () => outcomes.answered++,
        (error: unknown) => {
          if (!(error instanceof OxqlError)) throw new Error(`Query ${text}`, { cause: error })
          outcomes.refused++
        },
      )
  }
  expect(outcomes.answered).toBeGreaterThan(100)
  expect(outcomes.refused).toBeGreaterThan(500)
})

/** What multiplies when it is brought into a normal form must be refused before it does. */
it.each([
  ['disjunctions', `(${Array.from({ length: 200 }, () => '(a==1||b==2)').join('&&')})`, 'too complicated'],
  ['exclusive ors', Array.from({ length: 300 }, () => 'a==1').join('^'), 'too complicated|recursion level'],
  ['nested exclusive ors', `${'(a==1^'.repeat(30)}a==1${')'.repeat(30)}`, 'too complicated|recursion level'],
  ['negations', `${'!(a==1&&'.repeat(31)}a==1${')'.repeat(31)}`, 'too complicated|recursion level'],
  ['levels', `${'!'.repeat(40)}a==1`, 'Maximum recursion level exceeded'],
])('bounds %s', (_, expression, message) => {
  expect(() => planQuery(parseQuery(`get a:b | filter ${expression}`), 0)).toThrow(new RegExp(message))
})

it('plans a long list of alternatives', () => {
  const list = Array.from({ length: 300 }, (_, at) => `a==${at}`).join('||')
  const plan = planQuery(parseQuery(`get a:b | filter (${list}) && timestamp > @now() - 1h`), 0)
  expect([...plan.gets.values()][0]?.request.any).toHaveLength(300)
})
