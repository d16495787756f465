import type { KeyboardWord } from '@gantry/api/compute/screen.rules'
import { expect, test } from 'vitest'
import { said, type Seat, settled, shownSeats } from './seats.ts'

const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1000)
const seat = (id: string, more: Partial<Seat> = {}): Seat => ({
  id,
  name: `user ${id}`,
  time_joined: at(Number(id)),
  has_keyboard: false,
  time_asked: null,
  ...more,
})
/** The viewers at the keyboard and asking for it, after these words. */
function after(...words: [id: string, word: KeyboardWord, second: number][]): string {
  let seats = [seat('1', { has_keyboard: true }), seat('2'), seat('3')]
  for (const [id, word, second] of words) seats = settled(said(seats, id, word, at(second)), at(second))
  const { keyboard, asking } = shownSeats(seats, '1', at(words.at(-1)?.[2] ?? 0))
  return `${keyboard} ${asking}`
}

test.each<[string, string, [string, KeyboardWord, number][]]>([
  ['asking waits for an answer', '1 2', [['2', 'ask', 0]]],
  [
    'the holder may keep it',
    '1 null',
    [
      ['2', 'ask', 0],
      ['1', 'keep', 1],
    ],
  ],
  [
    'the holder may hand it over',
    '2 null',
    [
      ['2', 'ask', 0],
      ['1', 'hand over', 1],
    ],
  ],
  [
    'the first who asked gets it',
    '2 3',
    [
      ['2', 'ask', 0],
      ['3', 'ask', 1],
      ['1', 'hand over', 2],
    ],
  ],
  [
    'others cannot hand it over',
    '1 2',
    [
      ['2', 'ask', 0],
      ['3', 'hand over', 1],
      ['2', 'hand over', 2],
    ],
  ],
  [
    'others cannot refuse it',
    '1 2',
    [
      ['2', 'ask', 0],
      ['3', 'keep', 1],
    ],
  ],
  ['nobody can hand it over unasked', '1 null', [['1', 'hand over', 0]]],
  [
    'no answer hands it over',
    '2 null',
    [
      ['2', 'ask', 0],
      ['3', 'release', 20],
    ],
  ],
  [
    '20 s count from the first question',
    '2 null',
    [
      ['2', 'ask', 0],
      ['2', 'ask', 15],
      ['2', 'ask', 20],
    ],
  ],
  [
    'not before',
    '1 2',
    [
      ['2', 'ask', 0],
      ['3', 'release', 19],
    ],
  ],
  [
    'a question can be taken back',
    '1 null',
    [
      ['2', 'ask', 0],
      ['2', 'release', 1],
      ['3', 'keep', 30],
    ],
  ],
  [
    'who leaves it free gives it to who asks',
    '2 null',
    [
      ['2', 'ask', 0],
      ['1', 'release', 1],
    ],
  ],
  [
    'a free one is taken by asking',
    '3 null',
    [
      ['1', 'release', 0],
      ['3', 'ask', 1],
    ],
  ],
  ['its holder cannot ask for it', '1 null', [['1', 'ask', 0]]],
])('%s', (_, expected, words) => {
  expect(after(...words)).toBe(expected)
})

test('viewers are shown in the order of their arrival, and how long is left', () => {
  const seats = [seat('2', { time_asked: at(10) }), seat('1', { has_keyboard: true })]
  expect(shownSeats(seats, '2', at(15))).toEqual({
    you: '2',
    viewers: [
      { id: '1', name: 'user 1' },
      { id: '2', name: 'user 2' },
    ],
    keyboard: '1',
    asking: '2',
    seconds: 15,
  })
})
