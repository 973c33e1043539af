import Pages
import WebContainerApi

/// The page of a web container. It links to the web page, because Pages has no web view.
struct WebContainerPage: Page {
    let page: WebPage
    var title: String { page.url }

    func contents() -> [PageContent] {
        [
            .text(Container.sentence(for: page)),
            .rows([PageRow(page.url, .web(url: page.url))]),
        ]
    }
}
