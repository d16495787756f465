import { isPlannable } from '@gantry/api/history/plan.rules'
import { type OpName, operationId, ops } from '@gantry/api/registry'
import { kindsCreatedBy } from '@gantry/api/tags/created-tags.rules'
import { sentText } from '../../change/sent.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { parseRequest } from '../../parse/parse.ts'
import { hasDotSegment, Router } from '../../pipeline/router.ts'
import { readingOf } from '../../pipeline/translate.ts'
import { createdTagsOf } from '../tags/demand.ts'

const router = new Router(ops)

export interface SavedRequest {
  name: OpName
  input: object
  /** The caller, as if they had sent it themselves. */
  own: Cx
}

/** A saved request, read and bounded as one that is sent. */
export async function requestOf(
  cx: Cx,
  {
    method,
    path,
    body,
    tags,
    version,
  }: Pick<Row<'saved_plan'>, 'method' | 'path' | 'body' | 'tags' | 'version'>,
): Promise<SavedRequest> {
  if (!path.startsWith('/') || path.startsWith('//') || hasDotSegment(path)) throw noPath()
  const url = new URL(path, 'http://gantry.invalid')
  const { name, op, params } = router.match(method, url.pathname)
  // What cannot be planned includes all requests with secrets.
  if (!isPlannable(name))
    throw invalid('this operation cannot be saved as a plan', 'Send the request itself, without a plan.')
  const request = new Request(url, {
    method,
    ...(body !== null && { body, headers: { 'content-type': 'application/json' } }),
  })
  const input = await parseRequest(op, params, url, request, {
    ...(await readingOf({ name, op }, version)),
    charge: cx.charge,
    breath: cx.breather(),
  })
  if (tags && !kindsCreatedBy(name))
    throw invalid('this operation creates nothing that gets tags', 'Save it without tags.')
  const created_tags = await createdTagsOf(cx, name, tags ?? undefined, input.body)
  return {
    name,
    input,
    own: cx.inner({
      request: {
        operation: operationId(name),
        if_match: undefined,
        created_tags,
        sent: sentText({ name, op, input, tags: created_tags }),
      },
    }),
  }
}

const noPath = () =>
  invalid('the path must begin with /', 'Give path and query of the request, without a host.')
