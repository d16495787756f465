import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { live } from './live.ts'
import { startLive } from './live-stream.ts'

type Answer = () => Response | undefined

const stream: Answer = () =>
  new Response(': here\n\n', { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
const proxyPage: Answer = () => new Response('<!doctype html>', { status: 404 })
const silence: Answer = () => undefined

/** Milliseconds from the start at which the stream was asked for. */
let asked: number[]

/** Answers as told, and then not at all. */
function follow(...answers: Answer[]): void {
  const startedAt = Date.now()
  vi.stubGlobal('fetch', (_path: string, { signal }: { signal: AbortSignal }) => {
    const answer = answers[asked.length]?.()
    asked.push(Date.now() - startedAt)
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      if (answer) resolve(answer)
    })
  })
  startLive(new QueryClient())
}

beforeEach(() => {
  asked = []
  live.become('connecting')
  vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined })
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})
afterEach(() => void vi.unstubAllGlobals())

test('a server that has no stream is asked once', async () => {
  follow(proxyPage)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([live.state(), asked]).toEqual(['absent', [0]])
})

test('a stream that was there is asked for again, whatever stands in for it', async () => {
  follow(stream, proxyPage, proxyPage, stream)
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked).toEqual([0, 500])
  await vi.advanceTimersByTimeAsync(1000)
  expect(live.state()).toBe('lost')
  await vi.advanceTimersByTimeAsync(1900)
  expect([live.state(), asked]).toEqual(['live', [0, 500, 1500, 3500]])
})

test('a server that takes the question and never answers is given up', async () => {
  follow(stream, silence, silence)
  await vi.advanceTimersByTimeAsync(1000)
  expect([live.state(), asked]).toEqual(['live', [0, 500]])
  await vi.advanceTimersByTimeAsync(36_000)
  expect([live.state(), asked.length]).toEqual(['lost', 3])
})
