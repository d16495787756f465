import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { useWhyNotChange } from '#/features/silos/idps/actions.tsx'
import { ProviderFields } from '#/features/silos/idps/ProviderFields.tsx'
import { acsOrigin, samlProvider } from '#/features/silos/idps/queries.ts'
import { keyPairProblem, updateBody, valuesOf } from '#/features/silos/idps/values.ts'
import { samlProviderLink, siloLink } from '#/features/silos/links.ts'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_idps/idps/saml/$provider_/edit')({
  loader: async ({ context, params: { silo, provider } }) => {
    await Promise.all([context.renew(samlProvider(silo, provider)), context.prefetch(acsOrigin(silo))])
  },
  staticData: { title: 'Edit identity provider' },
  component: ProviderEdit,
})

function ProviderEdit() {
  const { silo, provider: name } = Route.useParams()
  const view = samlProvider(silo, name)
  const { data: provider } = useSuspenseQuery(view)
  const update = useOp(op.samlProviderUpdate, {
    sees: view,
    seeds: (updated) => samlProvider(silo, updated.name),
  })
  return (
    <EditForm
      kind="identity provider"
      context={`In silo ${silo}`}
      pageOf={(saved) => samlProviderLink(silo, saved.name)}
      initial={valuesOf(provider)}
      check={keyPairProblem}
      save={async (values, send) =>
        update.run({ path: { provider: provider.id }, query: {}, body: await updateBody(values) }, send)
      }
      fieldOf={({ errorCode }) => (errorCode === 'ObjectAlreadyExists' ? 'name' : undefined)}
      closeTo={siloLink(silo)}
      disabled={useWhyNotChange(silo)}
    >
      <ProviderFields silo={silo} isEdit />
    </EditForm>
  )
}
