import { isPlannable, planHeader, planPrefix } from './history/plan.rules.ts'
import type { Operation } from './op.ts'
import { type Versions, versionsOf } from './versions/document.ts'
import { type OpName, operationId, ops } from './registry.ts'

type Json = Record<string, unknown>
interface Document {
  paths: Record<string, Record<string, Json>>
}

const ifPlan: Json = {
  in: 'header',
  name: planHeader,
  description: 'The hash of a plan: the request is refused with 409 if it would do anything else',
  required: false,
  schema: { type: 'string' },
}

/** A plan exists in the versions of its request, at the same path below its own prefix. */
function plannedVersions({ [versionsOf]: versions }: Json): Json {
  if (!versions) return {}
  const { formerPath, formerParams, laterId, since, until } = versions as Versions
  return {
    [versionsOf]: {
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(formerPath && { formerPath: { ...formerPath, path: planPrefix + formerPath.path } }),
      ...(formerParams && { formerParams }),
      ...(laterId && { laterId: { ...laterId, id: `plan_${laterId.id}` } }),
    },
  }
}

/** Adds the plans of requests, which no operation of the contract describes: each has the path of its request. */
export function withPlans<Whole extends Document>(whole: Whole): Whole {
  const paths = { ...whole.paths }
  for (const [name, { path, method }] of Object.entries<Operation>(ops)) {
    const verb = method.toLowerCase()
    const asked = paths[path]?.[verb]
    if (!asked || !isPlannable(name as OpName)) continue
    const { responses, parameters, ...rest } = asked as { responses: Json; parameters: Json[] }
    const given = parameters.filter((parameter) => parameter['name'] !== planHeader)
    paths[path] = { ...paths[path], [verb]: { ...asked, parameters: [...given, ifPlan] } }
    const plan = `${planPrefix}${path}`
    paths[plan] = {
      ...paths[plan],
      [verb]: {
        ...rest,
        ...plannedVersions(rest),
        operationId: `plan_${operationId(name)}`,
        tags: ['plans'],
        summary: `Ask what this would do: ${String(asked['summary'])}`,
        parameters: given,
        responses: {
          '200': {
            description: 'Success',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/ChangePlan' } } },
          },
          '4XX': responses['4XX'],
          '5XX': responses['5XX'],
        },
      },
    }
  }
  return { ...whole, paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))) }
}
