import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { isMissing, syncFolder, unlessMissing } from '#src/blocks/block-files-io'
import { isFull } from '#src/space/full-volume'

/** Replaces a file as a whole: after a crash it has its old or its new contents, and once this resolves the new ones. */
export async function writeDurably(file: string, contents: string | Uint8Array): Promise<void> {
  const unfinished = `${file}.new`
  await writeSynced(unfinished, contents)
  await fs.rename(unfinished, file)
  await syncFolder(path.dirname(file))
}

/** The text in a file; undefined if there is none. */
export const readIfThere = (file: string): Promise<string | undefined> =>
  unlessMissing(fs.readFile(file, 'utf8'))

/** The text in a file, which the first call creates. `what` completes the error message for invalid contents. */
export async function storedText(
  file: string,
  form: RegExp,
  make: () => string,
  what: string,
): Promise<string> {
  const kept = await readIfThere(file)
  if (kept === undefined) {
    const made = make()
    await writeDurably(file, `${made}\n`)
    return made
  }
  const text = kept.trim()
  if (form.test(text)) return text
  throw new Error(`${file} must hold ${what}.`)
}

export async function writeSynced(file: string, contents: string | Uint8Array): Promise<void> {
  const handle = await fs.open(file, 'w', 0o600)
  try {
    await handle.writeFile(contents)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The prefix of unfinished and removed folders: the next start deletes them. */
const HIDDEN = '.'
const hidden = (parent: string): string => path.join(parent, `${HIDDEN}${randomUUID()}`)

/**
 * Creates a folder that is complete or absent, also after a crash. Returns false and changes nothing if it exists.
 */
export const makeFolder = (folder: string, fill: (unfinished: string) => Promise<void>): Promise<boolean> =>
  inUnfinishedFolder(path.dirname(folder), async (unfinished) => {
    await fill(unfinished)
    await syncFolder(unfinished)
    try {
      await fs.rename(unfinished, folder)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
      throw error
    }
    await syncFolder(path.dirname(folder))
    return true
  })

/** Runs work in a new folder, and removes it afterwards; after a crash, the next start does. */
export async function inUnfinishedFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const unfinished = hidden(parent)
  await fs.mkdir(unfinished, { mode: 0o700 })
  try {
    return await work(unfinished)
  } finally {
    await fs.rm(unfinished, { recursive: true, force: true })
  }
}

/** Removes a folder that, after a crash, is either complete or absent; a missing one is no error. */
export async function removeFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder)
  const gone = hidden(parent)
  try {
    await fs.rename(folder, gone)
  } catch (error) {
    if (isMissing(error)) return
    if (!isFull(error)) throw error
    // Without space for a rename it is removed in place: a crash may leave half of it, but space is freed.
    return fs.rm(folder, { recursive: true, force: true })
  }
  await syncFolder(parent)
  await fs.rm(gone, { recursive: true, force: true })
}

/** The names of the folders in a folder, which is created if missing. Removes unfinished ones of a crash. */
export async function finishedFolders(parent: string): Promise<string[]> {
  await fs.mkdir(parent, { recursive: true, mode: 0o700 })
  const names = await fs.readdir(parent)
  const left = names.filter((name) => name.startsWith(HIDDEN))
  for (const name of left) await fs.rm(path.join(parent, name), { recursive: true, force: true })
  return names.filter((name) => !name.startsWith(HIDDEN)).sort()
}
