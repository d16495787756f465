import { capitalise } from '@gantry/api/base/errors.rules'
import { protectedBy, type ProtectedAction } from '@gantry/api/history/protection.rules'
import type { Protection } from './queries.ts'

type Told = Pick<Protection, 'noDelete' | 'noStop' | 'reason' | 'setBy'>

/** `Protected by mara: holds the payroll`. */
export const protectionText = ({ setBy, reason }: Pick<Told, 'setBy' | 'reason'>): string =>
  capitalise(protectedBy(setBy?.name, reason))

/** Why a protection does not allow an action. */
export const whyProtected = (protection: Told | undefined, action: ProtectedAction): string | undefined =>
  protection && (action === 'stop' ? protection.noStop : protection.noDelete)
    ? protectionText(protection)
    : undefined
