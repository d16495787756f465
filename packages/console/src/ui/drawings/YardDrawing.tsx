const braces = Array.from({ length: 24 }, (_, index) => `M${index * 60} 108l30-30 30 30`).join('')
const legs = Array.from({ length: 20 }, (_, index) => {
  const y = 108 + index * 40
  return `M196 ${y}l36 40M1208 ${y}l36 40`
}).join('')

/** The large frame behind sign-in and error pages; a card 24 rem wide hangs from its trolley. */
export function YardDrawing({ cable }: { cable?: boolean }) {
  return (
    <svg
      viewBox="0 0 1440 900"
      preserveAspectRatio="xMidYMin slice"
      fill="none"
      stroke="currentColor"
      aria-hidden
      data-print="hide"
      className="pointer-events-none absolute inset-0 size-full text-line"
    >
      <path d="M0 78h1440M0 108h1440M196 108v792M232 108v792M1208 108v792M1244 108v792" />
      <path d={braces} />
      <path d={legs} />
      {cable && (
        <>
          <path d="M664 108v14h112v-14M652 122h136v18H652zM702 140v200M738 140v200" />
          <circle cx="684" cy="131" r="4" />
          <circle cx="756" cy="131" r="4" />
        </>
      )}
    </svg>
  )
}
