import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundled } from '../testing/bundled.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { lockDataDir } from './data-dir-lock.ts'

let locking: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => void (locking = await bundled('src/testing/locking-process.ts')))
afterAll(() => locking.remove())

test('one holder at a time, and the next after the release', async () => {
  const folder = await temporaryFolder()
  const first = await lockDataDir(folder)
  await expect(lockDataDir(folder)).rejects.toThrow(
    `The data directory ${await fs.realpath(folder)} is in use by process ${process.pid}. Stop that process first`,
  )
  await first.release()
  const second = await lockDataDir(folder)
  await second.release()
  await expect(fs.readdir(folder)).resolves.toEqual([])
})

test('of many concurrent contenders exactly one succeeds', async () => {
  const folder = await temporaryFolder()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(folder)))
  const got = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  expect(got).toHaveLength(1)
  await got[0]?.value.release()
})

test('a killed holder does not block the next, and its socket is removed', async () => {
  const folder = await temporaryFolder()
  const holder = await contend(folder)
  expect(holder.said).toBe('locked\n')
  await expect(lockDataDir(folder)).rejects.toThrow(`in use by process ${holder.process.pid}.`)
  holder.process.kill('SIGKILL')
  await once(holder.process, 'exit')
  await expect(fs.readdir(folder)).resolves.toHaveLength(1)
  const lock = await lockDataDir(folder)
  await expect(fs.readdir(folder)).resolves.toHaveLength(1)
  await lock.release()
})

test('a stopped holder still holds the lock', async () => {
  const folder = await temporaryFolder()
  const holder = await contend(folder)
  holder.process.kill('SIGSTOP')
  await expect(lockDataDir(folder)).rejects.toThrow(`in use by process ${holder.process.pid}.`)
})

test('processes that start together agree on one', async () => {
  const folder = await temporaryFolder()
  const contenders = await Promise.all(Array.from({ length: 6 }, () => contend(folder)))
  expect(contenders.filter(({ said }) => said === 'locked\n')).toHaveLength(1)
})

test('unrelated leftover files do not block', async () => {
  const folder = await temporaryFolder()
  await fs.writeFile(path.join(folder, 'lock-1-00000000.sock'), 'not a socket')
  const lock = await lockDataDir(folder)
  await lock.release()
  await expect(fs.readdir(folder)).resolves.toEqual([])
})

test.runIf(process.platform === 'linux')('a path too long for a socket', async () => {
  const folder = path.join(await temporaryFolder(), 'a'.repeat(120))
  await fs.mkdir(folder)
  const lock = await lockDataDir(folder)
  await expect(lockDataDir(folder)).rejects.toThrow('in use')
  await lock.release()
})

async function contend(folder: string) {
  const child = spawn(process.execPath, [locking.file, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (bytes) => (said += bytes))
  while (!said.endsWith('\n')) await once(child.stdout, 'data')
  return { process: child, said }
}
