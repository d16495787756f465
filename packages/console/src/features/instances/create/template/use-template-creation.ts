import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { call, type Send } from '#/data/client.ts'
import { useOp } from '#/data/use-op.ts'
import type { Template } from '#/features/templates/queries.ts'
import { goneIn } from '#/features/templates/settings-words.ts'
import { type Instance, instanceView } from '../../queries.ts'
import { batchBody } from '../batch-body.ts'
import { instanceBody } from '../body.ts'
import { userDataOf } from '../user-data/user-data.ts'
import { countOf, type InstanceValues } from '../values.ts'
import { changesTo, taggingBody } from './template-values.ts'

type Context = Omit<Parameters<typeof instanceBody>[1], 'snapshotOf'>
type Create = (
  values: InstanceValues,
  context: Context,
  send?: Send,
) => Promise<Instance | OutputOf<'instanceTemplateBatchUse'>>

/** Creates from the template what the form holds: it sends only what the user has changed. */
export function useTemplateCreation(
  project: string,
  template: Template | undefined,
  initial: InstanceValues,
): Create | undefined {
  const create = useOp(op.instanceTemplateUse, { seeds: ({ name }) => instanceView(project, name) })
  const createMany = useOp(op.instanceTemplateBatchUse)
  if (!template) return undefined
  const at = { path: { instanceTemplate: template.id }, query: { project } }
  return async (values, given, send = call) => {
    const tagging = taggingBody(send, template.fixed.includes('tags'))
    const context = { ...given, snapshotOf: new Map<string, string>() }
    // Names of disks are random where none is given, which is no change.
    const compared = { ...context, randomHex: () => '' }
    const filled = {
      ...initial,
      name: values.name,
      hostname: values.hostname,
      count: values.count,
      first: values.first,
    }
    const filledContext = { ...compared, userData: await userDataOf(initial) }
    if (countOf(values) > 1) {
      const { instance, ...names } = batchBody(values, context)
      const changes = changesTo(
        template,
        batchBody(filled, filledContext).instance,
        batchBody(values, compared).instance,
        instance,
      )
      return createMany.run({ ...at, body: { ...names, ...changes } }, tagging)
    }
    const body = instanceBody(values, context)
    const changes = changesTo(
      template,
      instanceBody(filled, filledContext),
      instanceBody(values, compared),
      body,
    )
    return create.run({ ...at, body: { name: body.name, hostname: body.hostname, ...changes } }, tagging)
  }
}

/** Why nothing can be created from a template as it is: something locked no longer exists. */
export function whyNotFrom(template: Template): string | undefined {
  const field = template.fixed.find((each) => goneIn(template, each) !== undefined)
  return field && `The ${goneIn(template, field)} of the template no longer exists. Edit the template first.`
}
