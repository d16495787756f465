import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { storedFiles } from './stored-files.ts'

async function folder() {
  const place = await fs.mkdtemp(path.join(tmpdir(), 'gantry-stored-'))
  onTestFinished(() => fs.rm(place, { recursive: true }))
  const file = path.join(place, 'app.js')
  await fs.writeFile(file, 'first')
  let time = 0
  return { place, file, read: storedFiles(() => time), wait: (ms: number) => void (time += ms) }
}

const text = (file: { bytes: Uint8Array } | undefined) => file && Buffer.from(file.bytes).toString()

test('a popular file is read from disk once', async () => {
  const { file, read, wait } = await folder()
  const disk = vi.spyOn(fs, 'readFile')
  onTestFinished(() => disk.mockRestore())
  for (let time = 0; time < 10; time++) {
    expect(text(await read(file))).toBe('first')
    wait(500)
  }
  expect(disk).toHaveBeenCalledOnce()
})

test('a file replaced by a new build is read again, and a removed one is gone', async () => {
  const { file, read, wait } = await folder()
  await read(file)
  await fs.writeFile(file, 'the second')
  wait(1001)
  expect(text(await read(file))).toBe('the second')
  await fs.rm(file)
  wait(1001)
  expect(await read(file)).toBeUndefined()
})

test('a missing file is found once it exists', async () => {
  const { place, read } = await folder()
  const late = path.join(place, 'late.js')
  expect(await read(late)).toBeUndefined()
  expect(await read(place)).toBeUndefined()
  await fs.writeFile(late, 'here')
  expect(text(await read(late))).toBe('here')
})

test('files over the memory limit are served from disk', async () => {
  const { place, read } = await folder()
  for (let number = 0; number < 5; number++) {
    const large = path.join(place, `large-${number}.js`)
    await fs.writeFile(large, Buffer.alloc(10 * 1024 ** 2, number))
    expect((await read(large))?.bytes[0]).toBe(number)
  }
  expect((await read(path.join(place, 'large-0.js')))?.bytes).toHaveLength(10 * 1024 ** 2)
})
