// SPDX-License-Identifier: MIT
// C++ before its library had a namespace: streams without std, main without a type, a loop's variable after
// the loop, a handler with any arguments.
#include <iostream.h>
#include <strstream.h>
extern "C" {
#include <nx.h>
}

typedef void (*handler_type)(...);

class Shape {
protected:
    double size;

public:
    Shape(double s) : size(s) { }
    virtual ~Shape() { }
    virtual double area() const throw() { return 0; }
};

class Square : public Shape {
public:
    Square(double s) : Shape(s) { }
    double area() const throw() { return size * size; }
};

static int arrived = 0;

void on_arrival(long, long count, long, long)
{
    arrived = (int)count;
}

main()
{
    double total, work;
    Shape *shape = new Square(mynode() + 1);
    hrecv(7, (char *)&work, sizeof work, (handler_type)on_arrival);
    gsync();
    for (register int node = 0; node < numnodes(); node++)
        if (node != mynode())
            break;
    csend(7, (char *)&total, sizeof total, node, 0);
    while (arrived == 0)
        flick();
    total = shape->area();
    gdsum(&total, 1, &work);
    auto int count[2] = {arrived, 7}, scratch;
    gisum(count, 1, &scratch);
    ostrstream text;
    text << "area " << total << " count " << count[0] << count[1] << ends;
    if (mynode() == 0)
        cout << text.str() << endl;
    delete shape;
    return 0;
}
