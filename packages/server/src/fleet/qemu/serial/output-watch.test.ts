import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#src/testing/temporary-folder'
import { watchOutput } from './output-watch.ts'

async function watching() {
  const folder = await temporaryFolder()
  const file = (id: string): string => path.join(folder, id)
  const errors: string[] = []
  let hints = 0
  let onHint = (): void => {}
  const watch = watchOutput(
    () => {
      hints++
      onHint()
    },
    (_, id) => errors.push(id),
  )
  onTestFinished(() => watch.close())
  return {
    ...watch,
    file,
    errors,
    hints: () => hints,
    begin: async (id: string): Promise<void> => {
      await fs.writeFile(file(id), '')
      watch.add(id, file(id))
    },
    next: () => new Promise<void>((resolve) => (onHint = resolve)),
  }
}

test('whatever is appended is followed by a hint, also just before and after the one before', async () => {
  const { begin, next, file } = await watching()
  await begin('one')
  await begin('other')
  let seen = 0
  for (let round = 1; round <= 30; round++) {
    const hinted = next()
    await fs.appendFile(file(round % 3 === 0 ? 'other' : 'one'), 'x')
    // Between an event and its hint.
    if (round % 2 === 0) await fs.appendFile(file('one'), 'y')
    await hinted
    seen++
  }
  expect(seen).toBe(30)
})

test('many bytes one by one are one hint, and not an event each', async () => {
  const { begin, next, file, hints } = await watching()
  await begin('one')
  const hinted = next()
  const handle = await fs.open(file('one'), 'a')
  const { appendFileSync } = await import('node:fs')
  for (let count = 0; count < 10_000; count++) appendFileSync(handle.fd, 'x')
  await handle.close()
  await hinted
  expect(hints()).toBe(1)
})

test('a removed file is watched no longer, and one that is gone is told', async () => {
  const { begin, remove, next, file, errors } = await watching()
  await begin('one')
  await begin('other')
  remove('one')
  await fs.rm(file('one'))
  await fs.rm(file('other'))
  while (errors.length === 0) await next()
  expect(errors).toEqual(['other'])
})
