/** The initials of a name. The full name is beside it, or names the button around it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-full bg-muted text-[0.6875rem] leading-none font-semibold text-page"
    >
      {initials(name)}
    </span>
  )
}

function initials(name: string) {
  const words = name.split(/[\s._@-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => word?.charAt(0) ?? '')
    .join('')
    .toUpperCase()
}
