import { expect, test } from 'vitest'
import { eventParser, type StreamEvent } from './event-stream.ts'

function parse(...chunks: string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const feed = eventParser((event) => events.push(event))
  chunks.forEach(feed)
  return events
}

test('parses type, data and id of an event', () => {
  expect(parse('id: 7\nevent: change\ndata: {"a":1}\n\n')).toEqual([
    { type: 'change', data: '{"a":1}', id: '7' },
  ])
})

test('accepts chunks split anywhere', () => {
  const text = 'event: ready\r\ndata:\r\n\r\nid: 8\r\nevent: change\r\ndata: x\r\n\r\n'
  expect(parse(...Array.from(text))).toEqual([
    { type: 'ready', data: '', id: undefined },
    { type: 'change', data: 'x', id: '8' },
  ])
})

test('treats comments as heartbeats, not events', () => {
  expect(parse(': beat\n\n', 'data: 1\ndata: 2\n\n')).toEqual([
    { type: 'message', data: '1\n2', id: undefined },
  ])
})

test("reads the listener's position from a heartbeat with an id", () => {
  const ids: string[] = []
  const feed = eventParser(
    () => expect.unreachable(),
    (id) => ids.push(id),
  )
  feed(': still here\nid: 12\n\n: still here\nid: 15\n\n')
  expect(ids).toEqual(['12', '15'])
})
