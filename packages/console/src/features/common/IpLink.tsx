import { CopyButton } from '#/ui/CopyButton.tsx'

/** Where a browser goes for an address. */
export const urlOf = (ip: string): string => `https://${ip.includes(':') ? `[${ip}]` : ip}`

/** An address at which something may answer, to open or to take along. */
export function IpLink({ ip }: { ip: string }) {
  return (
    <span className="whitespace-nowrap">
      <a className="link mr-1 font-mono text-[0.8125rem]" href={urlOf(ip)} target="_blank" rel="noreferrer">
        {ip}
      </a>
      <CopyButton text={ip} className="align-middle" />
    </span>
  )
}
