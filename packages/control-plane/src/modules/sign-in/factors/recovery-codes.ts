import { codeOf, recoveryCodeCount } from '@gantry/api/people/second-factor.rules'
import { secretFrom } from '@gantry/control-plane/authz/secret'
import type { Change } from '@gantry/control-plane/change/change'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import { toBase32 } from './base32.ts'
import { lockCaller } from '../sessions/end-credentials.ts'
import { needConfirmed } from './recent-confirmation.ts'
import { factorsOf, hasFactor } from './factors.ts'
import { type Holder, holderOf, noteFactors, type Proof, scopeOf } from './factor-holder.ts'
import { wrongCode } from './refusals.ts'

/** 80 bits cannot be guessed even from a copy of the hashes, so a fast hash suffices. */
const codeBytes = 10

const hashOf = (id: string, code: string): Promise<string> => secretFrom(code, `recovery code of ${id}`)

/** Replaces the existing codes; they are shown only this once. */
export async function writeRecoveryCodes(tx: Change, { id }: Holder): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => toBase32(tx.cx.services.random(codeBytes)))
  const rows = await Promise.all(
    codes.map(async (code) => ({ silo_user_id: id, code_hash: await hashOf(id, code) })),
  )
  await tx.plain.deleteFrom('recovery_code').where('silo_user_id', '=', id).execute()
  await tx.plain.insertInto('recovery_code').values(rows).execute()
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
}

export async function renewRecoveryCodes(cx: Cx): Promise<{ codes: string[] }> {
  const holder = holderOf(cx)
  await needConfirmed(cx)
  return change(cx, scopeOf(holder), async (tx) => {
    await lockCaller(tx)
    if (!hasFactor(await factorsOf(tx.read, holder.id)))
      throw invalid('there is no second factor to recover from', 'Set up a passkey or an authenticator app.')
    noteFactors(tx, holder)
    return { codes: await writeRecoveryCodes(tx, holder) }
  })
}

/** A code is valid once: whichever request deletes its row has used it. */
export async function checkRecoveryCode({ id }: Pick<Holder, 'id'>, typed: string): Promise<Proof> {
  const code_hash = await hashOf(id, codeOf(typed))
  return async (tx) => {
    const used = await tx.plain
      .deleteFrom('recovery_code')
      .where('silo_user_id', '=', id)
      .where('code_hash', '=', code_hash)
      .executeTakeFirst()
    if (used.numDeletedRows === 0n) throw wrongCode()
    noteFactors(tx, { id })
  }
}
