import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  ageOf,
  bootId,
  endProcess,
  identityOf,
  isRunning,
  parseStat,
  type ProcessIdentity,
  processTime,
  recordOrEnd,
  runningProcesses,
  threadTime,
} from './processes.ts'

test.each([
  ['4242 (qemu) S 1 2 3 4 5 6 7 8 9 10 30 12 13 14 15 16 17 18 777 20', 'S', '777', 42],
  ['4242 (a) Z (b) ) Z 1 2 3 4 5 6 7 8 9 10 0 0 13 14 15 16 17 18 5 20', 'Z', '5', 0],
])('%s', (text, state, started, ticks) => expect(parseStat(text)).toEqual({ state, started, ticks }))

test('any other line is refused', () => expect(parseStat('')).toBeUndefined())

describe.skipIf(process.platform !== 'linux')('a process', () => {
  async function child(...words: string[]): Promise<{ child: ChildProcess; identity: ProcessIdentity }> {
    const started = spawn(words[0] ?? '', words.slice(1), { stdio: 'ignore' })
    onTestFinished(() => void started.kill('SIGKILL'))
    await once(started, 'spawn')
    const identity = await identityOf(started.pid ?? 0)
    if (!identity) throw new Error('it is gone already')
    return { child: started, identity }
  }

  test('differs from an earlier one with its number, and from one before the host started', async () => {
    const { identity } = await child('sleep', '100')
    expect(await isRunning(identity)).toBe(true)
    expect(await isRunning({ ...identity, started: '1' })).toBe(false)
    expect(await isRunning({ ...identity, boot: 'other' })).toBe(false)
    expect(identity.boot).toBe(await bootId())
    expect(await ageOf(identity)).toBeLessThan(60_000)
  })

  test('is not taken for gone because its state could not be read', async () => {
    const { identity } = await child('sleep', '100')
    const reading = vi.spyOn(fs, 'readFile')
    onTestFinished(() => reading.mockRestore())
    reading.mockRejectedValueOnce(Object.assign(new Error('too many open files'), { code: 'EMFILE' }))
    await expect(isRunning(identity)).rejects.toThrow('too many open files')
    expect(await isRunning(identity)).toBe(true)
  })

  test.each([
    ['is recorded', true],
    ['is not taken', false],
  ])('that %s runs on: %s', async (_, isRecorded) => {
    const { identity } = await child('sleep', '100')
    await recordOrEnd(identity, async () => isRecorded)
    expect(await isRunning(identity)).toBe(isRecorded)
  })

  test('that cannot be recorded is ended', async () => {
    const { identity } = await child('sleep', '100')
    await expect(
      recordOrEnd(identity, (started) => {
        expect(started).toBe(identity)
        return Promise.reject(new Error('the disk is broken'))
      }),
    ).rejects.toThrow('the disk is broken')
    expect(await isRunning(identity)).toBe(false)
  })

  test('does not run as a zombie', async () => {
    // The shell ends its child, and never asks for its end.
    const { identity } = await child('sh', '-c', 'sleep 0.1 & exec sleep 100')
    const zombie = await expect
      .poll(
        async () => {
          const pids = await fs.readFile(`/proc/${identity.pid}/task/${identity.pid}/children`, 'utf8')
          const stat = parseStat(await fs.readFile(`/proc/${pids.trim()}/stat`, 'utf8').catch(() => ''))
          return stat?.state === 'Z' ? Number(pids) : 0
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0)
      .then(() => fs.readFile(`/proc/${identity.pid}/task/${identity.pid}/children`, 'utf8'))
    expect(await identityOf(Number(zombie))).toBeUndefined()
  })

  test('is ended once, however it handles signals', async () => {
    const { identity } = await child('sh', '-c', "trap '' TERM; while :; do sleep 1; done")
    await Promise.all([endProcess(identity), endProcess(identity)])
    expect(await isRunning(identity)).toBe(false)
    await endProcess(identity)
  })

  test('is found by its command line, with its running time', async () => {
    const word = crypto.randomUUID()
    const { identity } = await child(
      'sh',
      '-c',
      'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 100',
      word,
    )
    let found: number | undefined
    for await (const { pid, words } of runningProcesses()) if (words.includes(word)) found = pid
    expect(found).toBe(identity.pid)
    await expect.poll(() => processTime(identity.pid), { timeout: 20_000 }).toBeGreaterThan(0)
    expect((await threadTime(identity.pid, identity.pid))?.run).toBeGreaterThan(0)
    expect(await threadTime(identity.pid, 1)).toBeUndefined()
  })
})
