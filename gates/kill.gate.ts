import { expect, test } from 'vitest'
import { backupsThroughKills } from './kill/backups.ts'
import { diskImagesThroughKills } from './kill/disk-images.ts'
import { importsThroughKills } from './kill/imports.ts'
import { instanceImportsThroughKills } from './kill/instance-imports.ts'
import { onPglite, onPostgres } from './kill/installation.ts'
import { releaseThroughKills } from './kill/release.ts'
import { killAgainAndAgain } from './kill/rounds.ts'
import { schedulesThroughKills } from './kill/schedules.ts'

/** Fewer during development. */
const rounds = Number(process.env['GANTRY_KILL_ROUNDS'] ?? 100)

test('everything the server acknowledged survives every kill, once and complete: embedded database', async () => {
  const installation = await onPglite()
  try {
    expect(await killAgainAndAgain(installation, rounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('everything the server acknowledged survives every kill, once and complete: PostgreSQL', async (context) => {
  const installation = await onPostgres()
  if ('missing' in installation) return context.skip(installation.missing)
  try {
    expect(await killAgainAndAgain(installation, rounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('a release is uploaded, verified and installed through kills: embedded database', async () => {
  const installation = await onPglite()
  try {
    expect(await releaseThroughKills(installation)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('a release is uploaded, verified and installed through kills: PostgreSQL', async (context) => {
  const installation = await onPostgres()
  if ('missing' in installation) return context.skip(installation.missing)
  try {
    expect(await releaseThroughKills(installation)).toEqual([])
  } finally {
    await installation.remove()
  }
})

/** Each has several kills, while what is due is run. */
const scheduleRounds = Math.min(rounds, 6)

test('what a schedule is due for is run once and not lost through kills: embedded database', async () => {
  const installation = await onPglite()
  try {
    expect(await schedulesThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('what a schedule is due for is run once and not lost through kills: PostgreSQL', async (context) => {
  const installation = await onPostgres()
  if ('missing' in installation) return context.skip(installation.missing)
  try {
    expect(await schedulesThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

/** Files are served on this host. */
const servesHere = { image_import: { allowed_networks: ['127.0.0.1/32'] } }

test('images from URLs survive every kill, once and complete: embedded database', async () => {
  const installation = await onPglite(servesHere)
  try {
    expect(await importsThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('images from URLs survive every kill, once and complete: PostgreSQL', async (context) => {
  const installation = await onPostgres(servesHere)
  if ('missing' in installation) return context.skip(installation.missing)
  try {
    expect(await importsThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('images of disks survive every kill, once and complete: embedded database', async () => {
  const installation = await onPglite()
  try {
    expect(await diskImagesThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('images of disks survive every kill, once and complete: PostgreSQL', async (context) => {
  const installation = await onPostgres()
  if ('missing' in installation) return context.skip(installation.missing)
  try {
    expect(await diskImagesThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

/** Nothing stays in the recycle bin, so that what is left over is seen. */
const withoutBin = { recycle_bin: { hours: 0 } }

test('backups are made, verified, restored and deleted once and whole through kills: embedded database', async () => {
  const installation = await onPglite(withoutBin)
  try {
    expect(await backupsThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('backups are made, verified, restored and deleted once and whole through kills: PostgreSQL', async (context) => {
  const installation = await onPostgres(withoutBin)
  if ('missing' in installation) return context.skip(installation.missing)
  try {
    expect(await backupsThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('imports of instances survive every kill, once and complete: embedded database', async () => {
  const installation = await onPglite(withoutBin)
  try {
    expect(await instanceImportsThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})

test('imports of instances survive every kill, once and complete: PostgreSQL', async (context) => {
  const installation = await onPostgres(withoutBin)
  if ('missing' in installation) return context.skip(installation.missing)
  try {
    expect(await instanceImportsThroughKills(installation, scheduleRounds)).toEqual([])
  } finally {
    await installation.remove()
  }
})
