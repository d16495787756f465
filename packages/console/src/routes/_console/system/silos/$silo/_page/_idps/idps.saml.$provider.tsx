import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { TimeItems, WideIdItem } from '#/kit/page/plate-items.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { samlProvider } from '#/features/silos/idps/queries.ts'
import { TestSignIn } from '#/features/silos/idps/TestSignIn.tsx'
import { siloLink } from '#/features/silos/links.ts'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_idps/idps/saml/$provider')({
  loader: ({ context, params }) => context.prefetch(samlProvider(params.silo, params.provider)),
  staticData: { title: 'View identity provider' },
  component: ProviderPanel,
})

/** A provider with a test sign-in. */
function ProviderPanel() {
  const { silo, provider: name } = Route.useParams()
  const { data: provider } = useSuspenseQuery(samlProvider(silo, name))
  const canTest = useHasExtensions()
  return (
    <ViewPanel title="Identity provider" context={provider.name} closeTo={siloLink(silo)}>
      <DataPlate narrow>
        <WideIdItem id={provider.id} />
        <TimeItems of={provider} changed="Updated" />
        <TextItem label="Description" text={provider.description} />
        <TextItem label="Technical contact email" text={provider.technicalContactEmail} copied />
        <TextItem label="Service provider client ID" text={provider.spClientId} />
        <TextItem label="ACS URL" text={provider.acsUrl} copied />
        <TextItem label="Single Logout (SLO) URL" text={provider.sloUrl} />
        <TextItem label="Entity ID" text={provider.idpEntityId} copied />
        <TextItem label="Group attribute name" text={provider.groupAttributeName ?? ''} />
      </DataPlate>
      {canTest && <TestSignIn silo={silo} provider={provider} />}
    </ViewPanel>
  )
}

function TextItem({ label, text, copied }: { label: string; text: string; copied?: boolean }) {
  return (
    <DataItem label={label} wide>
      {text || <EmptyCell />}
      {copied && text && <CopyButton text={text} />}
    </DataItem>
  )
}
