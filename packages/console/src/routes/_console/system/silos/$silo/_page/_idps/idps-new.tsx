import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { isAbsent } from '#/data/extensions.ts'
import { Failure } from '#/data/failure.ts'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { linkedSuccessMessage } from '#/kit/feedback/success-message.tsx'
import { ProviderFields } from '#/features/silos/idps/ProviderFields.tsx'
import { acsOrigin } from '#/features/silos/idps/queries.ts'
import {
  emptyProvider,
  keyPairProblem,
  metadataSource,
  providerBody,
  type ProviderValues,
  standardAcsUrl,
} from '#/features/silos/idps/values.ts'
import { samlProviderLink, siloLink } from '#/features/silos/links.ts'
import { ExternalLink } from '#/ui/ExternalLink.tsx'
import { Note } from '#/ui/feedback/Note.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_idps/idps-new')({
  loader: ({ context, params }) => context.prefetch(acsOrigin(params.silo)),
  staticData: { title: 'New identity provider' },
  component: ProviderNew,
})

function ProviderNew() {
  const { silo } = Route.useParams()
  const { origin } = useSuspenseQuery(acsOrigin(silo)).data
  return (
    <CreateForm
      kind="identity provider"
      submitLabel="Create provider"
      context={`In silo ${silo}`}
      initial={emptyProvider(standardAcsUrl(origin, silo, ''))}
      check={keyPairProblem}
      save={useProviderSave(silo)}
      saved={({ name }) => linkedSuccessMessage('IdP', name, 'created', samlProviderLink(silo, name))}
      fieldOf={(failure) => {
        if (failure instanceof OtherEntity) return 'idpEntityId'
        return failure.errorCode === 'ObjectAlreadyExists' ? 'name' : undefined
      }}
      closeTo={siloLink(silo)}
      disabled={useWhyNot({ action: 'create_child', object: 'identity_provider', id: silo })}
    >
      <Note>
        Register this silo at the identity provider first.{' '}
        <ExternalLink href="/docs/identity-providers">Identity providers</ExternalLink>
      </Note>
      <ProviderFields silo={silo} />
    </CreateForm>
  )
}

/** Refuses an Entity ID with which every sign-in would fail. */
class OtherEntity extends Failure {
  constructor(entityId: string) {
    super({
      message: `The metadata describes the entity ${entityId}`,
      statusCode: 0,
      help: 'Enter this Entity ID, or use the metadata of the other provider.',
    })
  }
}

/** Creates a provider after reading its metadata, where the server can, so that nothing unusable is saved. */
function useProviderSave(silo: string) {
  const check = useOp(op.samlMetadataCheck)
  const create = useOp(op.samlIdentityProviderCreate)
  const query = { silo }
  return async (values: ProviderValues) => {
    const source = await metadataSource(values)
    if (!source) throw new Failure({ message: 'Metadata source is required', statusCode: 0 })
    const found = await check
      .run({ query, body: { idpMetadataSource: source, idpEntityId: values.idpEntityId.trim() } })
      .catch((error: unknown) => {
        if (!isAbsent(op.samlMetadataCheck)) throw error
      })
    if (found?.entityId && found.entityId !== values.idpEntityId.trim()) throw new OtherEntity(found.entityId)
    return create.run({ query, body: await providerBody(values, source) })
  }
}
