import { ExternalIpsCard } from './ExternalIpsCard.tsx'
import { InterfacesCard } from './InterfacesCard.tsx'

interface Props {
  project: string
  instance: string
}

/** How an instance is reached, and what it is connected to. */
export function NetworkingTab(props: Props) {
  return (
    <div className="space-y-5">
      <ExternalIpsCard {...props} />
      <InterfacesCard {...props} />
    </div>
  )
}
