import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdVolumes } from '../backup/held-volumes.ts'
import { offerCopies, requestCopy } from './copies.ts'
import { lockDataDir } from '../database/data-dir-lock.ts'
import { fleetFolder, hostFile, volumeFile, volumesFolder } from '../fleet/qemu/host/folders.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const name = 'copies.sock'
const ifLate = 'Stop it.'

/** How work fails. */
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  )

/** Offers copies that are never done. `events` says which began, and which were given up. */
async function endlessCopies(directory: string) {
  const events: string[] = []
  let hasBegun = (): void => {}
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  const offered = await offerCopies({ directory, name }, async (request, _use, signal) => {
    events.push(`${request} began`)
    hasBegun()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    events.push(`${request} was given up`)
    throw signal.reason
  })
  onTestFinished(offered.close)
  return { ...offered, events, begun }
}

test.skipIf(process.platform === 'win32')('a copy is given up with the wait for it', async () => {
  const directory = await temporaryFolder()
  const { events, begun, close } = await endlessCopies(directory)
  const waiting = new AbortController()
  const request = { request: 'one', what: 'it', ms: 60_000, ifLate, signal: waiting.signal }
  const refused = messageOf(requestCopy({ directory, name }, request))
  await begun
  waiting.abort()
  expect(await refused).toContain('aborted')
  await close()
  expect(events).toEqual(['one began', 'one was given up'])
})

test.skipIf(process.platform === 'win32')('copies are given up when their server stops', async () => {
  const directory = await temporaryFolder()
  const { events, begun, close } = await endlessCopies(directory)
  const request = { request: 'one', what: 'the disk', ms: 60_000, ifLate }
  const refused = messageOf(requestCopy({ directory, name }, request))
  await begun
  await close()
  expect(await refused).toContain('The server was stopped while the disk was being read.')
  expect(events).toEqual(['one began', 'one was given up'])
})

test.skipIf(process.platform === 'win32')('a copy that takes too long is given up, with advice', async () => {
  const directory = await temporaryFolder()
  const { events, close } = await endlessCopies(directory)
  const request = { request: 'one', what: 'the disk', ms: 200, ifLate }
  expect(await messageOf(requestCopy({ directory, name }, request))).toBe(
    'The server could not copy the disk: it took too long. Stop it.',
  )
  await close()
  expect(events).toEqual(['one began', 'one was given up'])
})

test.skipIf(process.platform !== 'linux')('an interrupted backup does not wait for a copy', async () => {
  const dataDir = await temporaryFolder()
  const fleet = fleetFolder(dataDir)
  const volume = path.join(volumesFolder(fleet), 'boot')
  await fs.mkdir(volume, { recursive: true })
  await fs.writeFile(volumeFile(volume), '')
  await fs.writeFile(hostFile(fleet), 'host')
  const lock = await lockDataDir(fleet)
  onTestFinished(lock.release)
  const { begun } = await endlessCopies(fleet)
  const ending = new AbortController()
  const volumes = await holdVolumes(dataDir, ending.signal)
  const read = volumes.read(
    'boot',
    async () => {},
    async () => {},
  )
  const refused = messageOf(read)
  await begun
  ending.abort()
  expect(await refused).toContain('aborted')
})
