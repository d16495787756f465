// The first date that is formatted loads the locale's data, which takes a tenth of the first page's time; the
// browser keeps it for all threads of the page.
new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format()
close()
