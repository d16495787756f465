import { instanceLimits } from '@gantry/api/compute/instance.rules'
import { publicBytesOf } from '#/kit/inputs/chosen-file.ts'
import { toBase64 } from '#/kit/page/bytes.ts'
import { plural } from '#/ui/data/format.ts'
import type { InstanceValues } from '../values.ts'

export const bytesOfText = (text: string): number => new TextEncoder().encode(text).length

export function userDataTextProblem(text: string): string | undefined {
  const over = bytesOfText(text) - instanceLimits.userData
  return over > 0
    ? `Must be at most 32 KiB, which is ${over.toLocaleString('en-US')} ${plural('byte', over)} less`
    : undefined
}

/** The user data of the form as the request has them; undefined for none. Refuses a private key. */
export async function userDataOf({
  userDataFrom,
  userData: file,
  userDataText: text,
}: Pick<InstanceValues, 'userDataFrom' | 'userData' | 'userDataText'>): Promise<string | undefined> {
  if (userDataFrom === 'file') return file && toBase64(await publicBytesOf(file, 'User Data'))
  if (userDataFrom !== 'text' || text === '') return undefined
  return toBase64(await publicBytesOf(new Blob([text]), 'User Data', 'text'))
}
