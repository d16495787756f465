import * as op from '@gantry/api/client/operations.gen'
import { Failure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { metadataSource, providerBody, type ProviderValues } from './values.ts'

/** Refuses an Entity ID with which every sign-in would fail. */
export class OtherEntity extends Failure {
  constructor(entityId: string) {
    super({
      message: `The metadata describes the entity ${entityId}`,
      statusCode: 0,
      help: 'Enter this Entity ID, or use the metadata of the other provider.',
    })
  }
}

/** Creates a provider after reading its metadata, so that nothing unusable is saved. */
export function useProviderSave(silo: string) {
  const check = useOp(op.samlMetadataCheck)
  const create = useOp(op.samlIdentityProviderCreate)
  const query = { silo }
  return async (values: ProviderValues) => {
    const source = await metadataSource(values)
    if (!source) throw new Failure({ message: 'Metadata source is required', statusCode: 0 })
    const { entityId } = await check.run({ query, body: { idpMetadataSource: source } })
    if (entityId && entityId !== values.idpEntityId.trim()) throw new OtherEntity(entityId)
    return create.run({ query, body: await providerBody(values, source) })
  }
}
