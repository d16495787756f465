import { z } from 'zod'

const days = (fallback: number) => z.number().int().min(1).max(3650).default(fallback)
const count = (fallback: number) => z.number().int().min(1).max(1_000_000).default(fallback)

/**
 * What an operator may set, read from the file of `gantry serve --settings`. Every key has a default, so that no file
 * at all is a good choice. One section for each concern; what a key means is said here and in `docs/settings.md`.
 */
export const Settings = z.strictObject({
  audit: z
    .strictObject({
      /** Records of the audit log are removed after so many days. */
      retention_days: days(365),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Serial consoles that one person, and that all people of one machine, may have open in a process. */
      consoles_per_person: count(20),
      consoles_per_machine: count(50),
    })
    .prefault({}),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = Settings.parse({})
