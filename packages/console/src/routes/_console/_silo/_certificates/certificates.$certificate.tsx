import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { WideIdItem } from '#/kit/page/plate-items.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { ownCertificate } from '#/features/silos/certificates/own-queries.ts'
import { CertificateLife, CertificateNotes } from '#/features/silos/certificates/parts.tsx'
import { factsOf } from '#/features/silos/certificates/shown.ts'
import { silosDomain } from '#/features/silos/host.ts'
import { Button } from '#/ui/Button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/_silo/_certificates/certificates/$certificate')({
  loader: ({ context, params }) => context.prefetch(ownCertificate(params.certificate)),
  staticData: { title: 'View certificate' },
  component: CertificatePanel,
})

/** One certificate of the silo. Its private key never leaves the server. */
function CertificatePanel() {
  const { certificate: name } = Route.useParams()
  const { siloName } = useCurrentUser()
  const { data: certificate } = useViewed(ownCertificate(name))
  const [now] = useState(() => new Date())
  const { id, description, cert, timeCreated } = certificate
  const facts = factsOf(cert, siloName, silosDomain(location.hostname), now)
  return (
    <ViewPanel title="TLS certificate" context={certificate.name} closeTo={{ to: '/certificates' }}>
      <CertificateNotes certificates={[{ id, name: certificate.name, certificate: facts }]} />
      <DataPlate narrow>
        <DataItem label="Name">{certificate.name}</DataItem>
        <DataItem label="Description">{description || <EmptyCell />}</DataItem>
        <DataItem label="State">{facts ? <CertificateLife life={facts.life} /> : <EmptyCell />}</DataItem>
        <DataItem label="Expires">{facts ? <DateTime value={facts.timeExpires} /> : <EmptyCell />}</DataItem>
        <DataItem label="Host names" wide>
          {facts && facts.dnsNames.length > 0 ? (
            <span className="font-mono wrap-anywhere">{facts.dnsNames.join(', ')}</span>
          ) : (
            <EmptyCell />
          )}
        </DataItem>
        <DataItem label="Created">
          <DateTime value={timeCreated} />
        </DataItem>
        <WideIdItem id={id} />
      </DataPlate>
      <section className="space-y-2.5">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h3 className="text-md">Chain</h3>
          <Button onClick={() => void copyText(cert)}>Copy chain</Button>
        </div>
        <pre
          // oxlint-disable-next-line jsx_a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
          tabIndex={0}
          role="region"
          aria-label="Chain"
          className="max-h-64 overflow-auto rounded-block border border-line p-3 font-mono text-xs"
        >
          {cert}
        </pre>
      </section>
    </ViewPanel>
  )
}
