/** The first element that Tab reaches; hidden until focused. */
export function SkipLink({ target = 'content' }: { target?: string }) {
  return (
    <a
      href={`#${target}`}
      data-print="hide"
      className="sr-only focus:not-sr-only focus:fixed! focus:top-2 focus:left-3 focus:z-(--layer-toast) focus:rounded-control focus:bg-float focus:px-3! focus:py-2! focus:text-strong focus:shadow-menu"
      onClick={(event) => {
        // Moves the focus without a fragment in the address, which holds the page's state.
        event.preventDefault()
        const element = document.getElementById(target)
        element?.focus()
        element?.scrollIntoView()
      }}
    >
      Skip to content
    </a>
  )
}
