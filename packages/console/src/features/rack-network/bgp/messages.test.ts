import { expect, test } from 'vitest'
import { messagesIn } from './messages.ts'

const time = '2026-01-01T00:00:00.000Z'

test('messages are newest first, with their fields in words', () =>
  expect(
    messagesIn([
      { time, direction: 'sent', message: { type: 'open', asn: 64_500, holdTime: 6 } },
      { time, direction: 'received', message: { type: 'update', announced: ['10.0.0.0/8', '10.1.0.0/16'] } },
    ]),
  ).toEqual([
    { time, direction: 'received', type: 'update', details: 'announced 10.0.0.0/8 10.1.0.0/16' },
    { time, direction: 'sent', type: 'open', details: 'asn 64500, hold time 6' },
  ]))

test.each([[undefined], ['text'], [{}], [[{ time }]], [[null, { message: {} }]]])(
  'a history of another form has no messages: %j',
  (history) => expect(messagesIn(history)).toEqual([]),
)
