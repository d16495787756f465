import fs from 'node:fs'
import { defaultSettings, Settings } from '@gantry/control-plane/settings'
import { Mistake } from './values.ts'

/** The operator's settings, or the defaults without a file. The first error is a sentence. */
export function settingsOf(file: string | undefined): Settings {
  if (file === undefined || file === '') return defaultSettings
  const result = Settings.safeParse(readJson(file))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const key = issue?.path.join('.')
  throw new Mistake(`--settings: ${file}: ${key ? `${key}: ` : ''}${issue?.message ?? 'not readable'}.`)
}

function readJson(file: string): unknown {
  let text
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Mistake(`--settings: ${file} cannot be read (${code}).`, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Mistake(`--settings: ${file} is not JSON (${(cause as Error).message}).`, { cause })
  }
}
