import { expect, test } from 'vitest'
import { deadlineThreads, ThreadGaveUp } from './threads.ts'
import { TooBusy } from '@gantry/control-plane/work/turns'

/** A thread that follows instructions, and identifies itself. */
const thread = `
  import { parentPort, threadId } from 'node:worker_threads'
  parentPort.on('message', (what) => {
    if (what === 'loop') for (;;);
    if (what === 'hoard') for (const all = []; ; ) all.push(new Array(100_000).fill(what))
    if (what === 'throw') throw new Error('thrown')
    if (what === 'exit') process.exit(3)
    parentPort.postMessage(threadId)
  })
  parentPort.postMessage('ready')`
const moduleOf = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)
const threads = (over: Partial<Parameters<typeof deadlineThreads>[0]> = {}) =>
  deadlineThreads<string, number>({
    file: moduleOf(thread),
    name: 'a thread',
    atOnce: 1,
    waiting: 4,
    deadlineMs: 2000,
    heapMb: 16,
    ...over,
  })

test('one thread answers one request after another', async () => {
  const ask = threads()
  expect(new Set(await Promise.all([ask('a'), ask('b'), ask('c')])).size).toBe(1)
})

test.each(['loop', 'hoard'])('endless work (%s) is ended, and the next request is answered', async (work) => {
  const ask = threads()
  const before = await ask('a')
  const [ended, next] = await Promise.allSettled([ask(work), ask('b')])
  expect(ended).toEqual({ status: 'rejected', reason: expect.any(ThreadGaveUp) })
  expect(next.status === 'fulfilled' && next.value > before).toBe(true)
})

test.each(['throw', 'exit'])(
  'a crashing thread (%s) is a bug, and the next request gets a new one',
  async (work) => {
    const ask = threads()
    const error = await ask(work).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(ThreadGaveUp)
    expect(await ask('a')).toBeGreaterThan(0)
  },
)

test('a module that fails to load is a bug', async () => {
  const error = await threads({ file: moduleOf('throw new Error("broken")') })('a').catch(
    (error: unknown) => error,
  )
  expect([error instanceof ThreadGaveUp, (error as Error).message]).toEqual([false, 'broken'])
})

test('others are answered while one is stuck, and requests beyond the queue are refused', async () => {
  const ask = threads({ atOnce: 2, waiting: 3 })
  const stuck = ask('loop').catch((error: unknown) => error)
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => ask('a')))
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array(4).fill('fulfilled'),
    ...Array(4).fill('rejected'),
  ])
  expect(answers.slice(4).every((one) => one.status === 'rejected' && one.reason instanceof TooBusy)).toBe(
    true,
  )
  expect(await stuck).toBeInstanceOf(ThreadGaveUp)
})
