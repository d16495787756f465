import { expect, test } from 'vitest'
import { onPglite, onPostgres } from './kill/installation.ts'
import { releaseThroughKills } from './kill/release.ts'
import { killAgainAndAgain } from './kill/rounds.ts'

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
