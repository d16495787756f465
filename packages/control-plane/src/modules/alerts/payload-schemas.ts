import { type AlertPayload, alertPayloads } from '@gantry/api/system/alert-payload'
import { z } from 'zod'

/** Computed when first asked for. */
const written = new Map<AlertPayload, unknown>()

/** The JSON Schemas of these payloads, each with what it refers to. */
export function payloadSchemas(names: readonly AlertPayload[]): Record<string, unknown> {
  for (const name of names)
    if (!written.has(name)) written.set(name, z.toJSONSchema(alertPayloads[name], { unrepresentable: 'any' }))
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, written.get(name)]))
}
