import { sentRequestLimits } from '@gantry/api/history/activity.rules'
import { carriesBytes, isPrivateRequest, withoutSecrets } from '@gantry/api/history/sent-request.rules'
import { isRead, type Operation } from '@gantry/api/op'
import type { OpName } from '@gantry/api/registry'
import type { SentInput } from '../db/tables/changes.ts'
import type { CreatedTags } from '../context/services.ts'

interface Sent {
  name: OpName
  op: Operation
  input: object
  tags: CreatedTags | undefined
}

/** The input of a request as its audit record keeps it; undefined for what cannot or must not be repeated. */
export function sentText({ name, op, input, tags }: Sent): string | undefined {
  const isKept = !isRead(op.method) && op.audited && !op.onlyReads && !op.anonymous
  if (!isKept || carriesBytes(name) || isPrivateRequest(op.path)) return undefined
  const { path = {}, query = {}, body = null } = input as Partial<SentInput>
  const sent: SentInput = {
    path,
    query,
    body: withoutSecrets(body),
    tags: tags?.tags ?? {},
  }
  const text = JSON.stringify(sent)
  return text.length > sentRequestLimits.length ? undefined : text
}
