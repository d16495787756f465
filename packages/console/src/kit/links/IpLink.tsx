import { CopyButton } from '#/ui/CopyButton.tsx'

/** The URL of an address. */
export const urlOf = (ip: string): string => `https://${ip.includes(':') ? `[${ip}]` : ip}`

/** An address that may serve HTTP, with a link and a copy button. */
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
