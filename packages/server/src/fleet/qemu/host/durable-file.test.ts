import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#src/testing/temporary-folder'
import { finishedFolders, makeFolder, removeFolder, writeDurably } from './durable-file.ts'
import { keyedTurns } from './keyed-turns.ts'

test('a folder appears when it is complete, and is created once', async () => {
  const parent = await temporaryFolder()
  const folder = path.join(parent, 'a')
  const fill = (text: string) => async (unfinished: string) => {
    await expect(fs.readdir(folder)).rejects.toThrow('ENOENT')
    await fs.writeFile(path.join(unfinished, 'x'), text)
  }
  expect(await makeFolder(folder, fill('1'))).toBe(true)
  expect(await makeFolder(folder, (other) => fs.writeFile(path.join(other, 'x'), '2'))).toBe(false)
  expect(await fs.readFile(path.join(folder, 'x'), 'utf8')).toBe('1')
  await expect(makeFolder(path.join(parent, 'b'), () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  )
  expect(await fs.readdir(parent)).toEqual(['a'])
  await removeFolder(folder)
  await removeFolder(folder)
  expect(await fs.readdir(parent)).toEqual([])
})

test('the next start removes unfinished folders of a crash', async () => {
  const parent = path.join(await temporaryFolder(), 'machines')
  expect(await finishedFolders(parent)).toEqual([])
  for (const name of ['b', 'a', '.half']) await fs.mkdir(path.join(parent, name))
  expect(await finishedFolders(parent)).toEqual(['a', 'b'])
  expect((await fs.readdir(parent)).sort()).toEqual(['a', 'b'])
})

test('a file is replaced as a whole, by its owner only', async () => {
  const file = path.join(await temporaryFolder(), 'f')
  await writeDurably(file, 'old')
  await writeDurably(file, 'new')
  expect(await fs.readFile(file, 'utf8')).toBe('new')
  expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
})

test('work that shares a key takes turns in order, and other work does not wait', async () => {
  const turns = keyedTurns()
  const log: string[] = []
  const work = (name: string, ms: number) => async () => {
    log.push(`${name} begins`)
    await new Promise((resolve) => setTimeout(resolve, ms))
    log.push(`${name} ends`)
    return name
  }
  const all = [
    turns(['a'], work('first', 60)),
    turns(['b', 'a'], work('second', 1)),
    turns(['b'], work('third', 1)),
    turns(['c'], work('other', 1)),
    turns(['a'], () => Promise.reject(new Error('no'))),
    turns(['a'], work('last', 1)),
  ]
  expect([turns.areTaken(['x', 'b']), turns.areTaken(['x'])]).toEqual([true, false])
  const settled = await Promise.allSettled(all)
  expect(turns.areTaken(['a', 'b', 'c'])).toBe(false)
  expect(settled.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 4 }, () => 'fulfilled'),
    'rejected',
    'fulfilled',
  ])
  const at = (line: string): number => log.indexOf(line)
  expect(at('other ends')).toBeLessThan(at('first ends'))
  expect(at('first ends')).toBeLessThan(at('second begins'))
  expect(at('second ends')).toBeLessThan(at('third begins'))
  expect(at('second ends')).toBeLessThan(at('last begins'))
})
